// An MCP server of files and commands on stdin and stdout, with the tool names and inputs of those in wide use.
const fs = require("fs");
const { execSync } = require("child_process");
const readline = require("readline");

const text = { type: "string" };
const tool = (name, properties, run) => ({ name, properties, run });
const tools = [
  tool("read_text_file", { path: text }, ({ path }) => fs.readFileSync(path, "utf8")),
  tool("write_file", { path: text, content: text }, ({ path, content }) => (fs.writeFileSync(path, content), "written")),
  tool("edit_file", { path: text, edits: { type: "array" } }, ({ path, edits }) => {
    let all = fs.readFileSync(path, "utf8");
    for (const { oldText, newText } of edits) all = all.replace(oldText, newText);
    fs.writeFileSync(path, all);
    return "edited";
  }),
  tool("move_file", { source: text, destination: text }, ({ source, destination }) => (fs.renameSync(source, destination), "moved")),
  tool("delete_lines", { path: text, first: { type: "number" }, last: { type: "number" } }, ({ path, first, last }) => {
    const lines = fs.readFileSync(path, "utf8").split("\n");
    lines.splice(first - 1, last - first + 1);
    fs.writeFileSync(path, lines.join("\n"));
    return "deleted";
  }),
  tool("execute_command", { command: text }, ({ command }) => execSync(command, { encoding: "utf8" })),
];

const answer = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\n");

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === "initialize") {
    answer(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "files", version: "1" } });
  } else if (method === "tools/list") {
    answer(id, { tools: tools.map(({ name, properties }) => ({ name, description: name, inputSchema: { type: "object", properties } })) });
  } else if (method === "tools/call") {
    try {
      const said = tools.find(({ name }) => name === params.name).run(params.arguments);
      answer(id, { content: [{ type: "text", text: String(said) }] });
    } catch (error) {
      answer(id, { content: [{ type: "text", text: String(error) }], isError: true });
    }
  } else {
    answer(id, {});
  }
});
