//! `cmd /c text` and `powershell -Command text`: all that follows is the text.

use crate::shell::model::{ScriptLanguage, UNSEEN, Word};
use crate::shell::wrappers::peeled::PeeledCommand;

/// `cmd /c text`, `powershell -Command text`: all that follows is the text.
pub(crate) fn windows(program: &str, rest: &[Word]) -> PeeledCommand {
    let is_start = |word: &Word| {
        let option = word.text.to_ascii_lowercase();
        match program {
            "cmd" => matches!(option.trim_start_matches('/'), "c" | "k") && option.starts_with('/'),
            _ => option.len() > 1 && "-command".starts_with(&option) || option == "/command",
        }
    };
    let encoded = rest.iter().any(|word| {
        let option = word.text.to_ascii_lowercase();
        program != "cmd" && (option == "-ec" || (option.len() > 1 && "-encodedcommand".starts_with(&option)))
    });
    if encoded {
        return PeeledCommand::Code { language: ScriptLanguage::Shell, text: Some(UNSEEN.to_string()) };
    }
    let start = rest.iter().position(is_start).map(|at| at + 1);
    let plain =
        || rest.iter().position(|word| !word.text.starts_with('-')).filter(|_| program == "powershell");
    let text = start.or_else(plain).and_then(|at| rest.get(at..)).unwrap_or_default();
    let text = text.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    if text.is_empty() { PeeledCommand::Plain } else { PeeledCommand::Windows { text } }
}
