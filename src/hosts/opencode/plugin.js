// Written by `steadfast install --host opencode`, and taken away by `steadfast uninstall --host opencode`.
// Passes what happens on to steadfast-hook and does what that answers; without an answer nothing changes.
import { spawn } from "node:child_process"

const HOOK = "__HOOK__"

export const Steadfast = async ({ client, directory, worktree }) => {
  const roots = new Map() // the session that a person talks to, of each session of a subagent
  const begun = new Map() // what the model is told at the beginning of a session, until its first prompt
  const own = new Set() // sessions whose next prompt is the hook's own

  const ask = (argument, sessionID, event, seconds) =>
    new Promise((answered) => {
      const child = spawn(HOOK, [argument, "--host", "opencode"], { cwd: directory, timeout: seconds * 1000 })
      let said = ""
      child.stdout.setEncoding("utf8").on("data", (part) => (said += part))
      child.stdin.on("error", () => {})
      child.on("error", () => answered({}))
      child.on("close", () => {
        let answer = {}
        try { answer = JSON.parse(said || "{}") } catch {}
        const toast = { title: "Steadfast", message: answer.human, variant: "warning", duration: 15000 }
        if (answer.human) client.tui.showToast({ body: toast }).catch(() => {})
        answered(answer)
      })
      child.stdin.end(JSON.stringify({ directory, worktree, sessionID, root: roots.get(sessionID) ?? sessionID, ...event }))
    })
  const begin = (sessionID, source) => {
    if (!begun.has(sessionID)) begun.set(sessionID, ask("session-start", sessionID, { source }, 10))
    return begun.get(sessionID)
  }
  const lastWords = async (id) => {
    const messages = (await client.session.messages({ path: { id } })).data ?? []
    const last = messages.findLast((message) => message.info.role === "assistant")
    return (last?.parts ?? []).filter((part) => part.type === "text").map((part) => part.text).join("\n")
  }
  const idle = async (id) => {
    const answer = await ask("stop", id, { message: await lastWords(id) }, 3600)
    if (!answer.continue) return
    own.add(id)
    await client.session.promptAsync({ path: { id }, body: { parts: [{ type: "text", text: answer.continue }] } })
  }

  return {
    event: async ({ event: { type, properties } }) => {
      const { id, parentID } = properties.info ?? {}
      if (type === "session.created" && parentID) roots.set(id, roots.get(parentID) ?? parentID)
      if (type === "session.created" && !parentID) await begin(id, "startup")
      if (type === "session.idle" && !roots.has(properties.sessionID)) await idle(properties.sessionID)
      if (type === "session.deleted" && begun.delete(id)) await ask("session-end", id, { reason: "deleted" }, 5)
    },
    "chat.message": async ({ sessionID }, output) => {
      if (roots.has(sessionID) || own.delete(sessionID)) return
      const beginning = await begin(sessionID, "resume")
      begun.set(sessionID, {})
      const answer = await ask("user-prompt-submit", sessionID, { input: { sessionID }, output }, 30)
      const text = [beginning.context, answer.context].filter(Boolean).join("\n\n")
      const id = `prt_steadfast${Date.now()}`
      if (text) output.parts.push({ id, sessionID, messageID: output.message.id, type: "text", text, synthetic: true })
    },
    "tool.execute.before": async (input, { args }) => {
      const answer = await ask("pre-tool-use", input.sessionID, { input, output: { args } }, 60)
      if (answer.deny) throw new Error(answer.deny)
    },
    "tool.execute.after": async (input, output) => {
      const exit = `${output.metadata?.exit ?? ""}`
      const answer = await ask("post-tool-use", input.sessionID, { input, output: { output: output.output }, exit }, 15)
      if (answer.context && typeof output.output === "string") output.output += `\n\n${answer.context}`
    },
    "experimental.session.compacting": async ({ sessionID }) => void (await ask("pre-compact", sessionID, {}, 10)),
  }
}
