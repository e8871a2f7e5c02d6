//! Words of commands that users copy into a shell.
//!
//! `shlex` quotes `=`, `,` and `%` too, without need where no brace or assignment is about: `-DX=1` is easier to read as it is.

/// An argument as a shell reads it back.
pub fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./=+,:@%".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.to_string(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::shell_word;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(shell_word("-DX=1"), "-DX=1");
        assert_eq!(shell_word("a/b.c"), "a/b.c");
        assert_eq!(shell_word("a file.c"), "'a file.c'");
        assert_eq!(shell_word("it's"), "'it'\\''s'");
        assert_eq!(shell_word(""), "''");
    }
}
