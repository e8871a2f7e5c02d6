//! Token by token: text in, kinds and spellings out.

use super::token::Tok;
use super::*;
use crate::source::SourceMap;

/// The spellings of all tokens, and the messages.
fn lexed(text: &str) -> (Vec<String>, Vec<String>) {
    let mut map = SourceMap::new();
    map.add("t.i", text.to_string()).unwrap();
    let mut names = Names::new();
    let mut diags = Diagnostics::new();
    let lexed = lex(&map.units()[0], &mut names, &mut diags);
    assert_eq!(lexed.tokens.iter().filter(|t| t.kind == Tok::Eof).count(), 1);
    let tokens = lexed.tokens.iter().filter(|t| t.kind != Tok::Eof).map(|t| map.text(t.span()).to_string()).collect();
    (tokens, diags.iter().map(|d| d.message.clone()).collect())
}

#[test]
fn tokens() {
    let table = [
        ("a+++b", "a|++|+|b"),
        ("x->y...z", "x|->|y|...|z"),
        ("1.5e+3+.5-0x1p-2f", "1.5e+3|+|.5|-|0x1p-2f"),
        ("0xe+1", "0xe+1"),
        ("a<<=b>>=c", "a|<<=|b|>>=|c"),
        ("L\"x\" u8\"y\" L'c' u8 x", "L\"x\"|u8\"y\"|L'c'|u8|x"),
        ("\"a\\\"b\" 'a' '\\''", "\"a\\\"b\"|'a'|'\\''"),
        ("a /* b */ c // d\ne", "a|c|e"),
        ("/**/a/***/b/*/*/c", "a|b|c"),
        ("a<:1:> <% %>", "a|<:|1|:>|<%|%>"),
        ("$a a$b _1", "$a|a$b|_1"),
        ("# 1 \"f.c\" 3 4\nx\n#pragma once\ny\n  #ident \"v\"\nz", "x|y|z"),
        ("\u{feff}int x", "int|x"),
        ("größe \\u00e9x", "größe|\\u00e9x"),
        ("a __w64 b", "a|b"),
        ("_Pragma(\"pack(1)\") x", "x"),
    ];
    for (text, expected) in table {
        let (tokens, messages) = lexed(text);
        assert_eq!(tokens.join("|"), expected, "{text}");
        assert!(messages.is_empty(), "{text}: {messages:?}");
    }
}

#[test]
fn continuations_join_tokens_and_keep_places() {
    let (tokens, messages) = lexed("in\\\nt x\\\r\ny = \"a\\\nb\"; // c \\\n d\nz \\\n+\\\n= 1");
    assert_eq!(tokens, ["in\\\nt", "x\\\r\ny", "=", "\"a\\\nb\"", ";", "z", "+\\\n=", "1"]);
    assert!(messages.is_empty());
}

#[test]
fn bad_text_is_told() {
    let table = [
        ("\"abc\nint", "unterminated string literal"),
        ("'a", "unterminated character constant"),
        ("\"abc\\", "unterminated string literal"),
        ("/* never closed", "unterminated comment"),
        ("/*", "unterminated comment"),
        ("a @ b", "stray character `@` in the program"),
        ("a \\ b", "stray character `\\` in the program"),
        ("\u{f7ff}\u{f7fe}", "stray byte 0xff in the program"),
        ("\u{a0}", "stray character U+00A0 in the program"),
        ("#include <stdio.h>\n#include <x.h>\n", "the directive `#include` stands in preprocessed text"),
        ("#pragma pack(3)\n#pragma pack(x", "malformed `#pragma pack` has no effect"),
    ];
    for (text, expected) in table {
        assert_eq!(lexed(text).1, [expected], "{text}");
    }
}

#[test]
fn pack_changes_are_noted_by_token() {
    let mut map = SourceMap::new();
    map.add("t.i", "a\n#pragma pack(push, 2)\nb c\n#pragma pack(pop)\nd _Pragma(\"pack(4)\") e".to_string()).unwrap();
    let lexed = lex(&map.units()[0], &mut Names::new(), &mut Diagnostics::new());
    let changes: Vec<(u32, u32)> = lexed.packs.iter().map(|c| (c.token, c.bytes)).collect();
    assert_eq!(changes, [(1, 2), (3, 0), (4, 4)]);
}
