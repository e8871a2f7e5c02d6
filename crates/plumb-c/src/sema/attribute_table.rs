//! Every attribute that gcc 12 knows (on all targets in common, and on x86, ARM and AVR), and some of other compilers, each
//! with the decision what it means to Plumb. `docs/compatibility.md` shows the same table.
//!
//! gcc warns of an attribute that it does not know and goes on. Plumb cannot: what gcc ignores a cross compiler may act
//! on. Such a name is refused.

/// What Plumb does with an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// It changes what the program means, as gcc has it.
    Honoured(Honoured),
    /// It concerns optimisation, warnings, linking, debugging or calling conventions, or is a promise that programs with
    /// defined behaviour keep.
    NoEffect,
    /// It changes the meaning in a way that is not modelled; the text says which.
    Refused(&'static str),
}

/// Attributes with a meaning here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Honoured {
    Access,
    Alias,
    Aligned,
    Cleanup,
    Const,
    GnuInline,
    Interrupt,
    Mode,
    Naked,
    Noinit,
    Noreturn,
    ReturnsNonnull,
    Optimize,
    Pack,
    Packed,
    ProgramMemory,
    Pure,
    RunsOutsideMain,
    ReturnsTwice,
    Section,
    StorageOrder,
    Target,
    TransparentUnion,
    Vector,
    Weak,
}

impl Honoured {
    /// Whether it is a promise that may be overlooked: without it, more runs are possible.
    pub fn is_promise(self) -> bool {
        matches!(self, Honoured::Access | Honoured::Const | Honoured::Pure)
    }

    /// Whether it changes the type that it stands at, and not the function or object that is declared.
    pub fn is_of_type(self) -> bool {
        match self {
            Honoured::Aligned
            | Honoured::Mode
            | Honoured::Pack
            | Honoured::Packed
            | Honoured::StorageOrder
            | Honoured::TransparentUnion
            | Honoured::Vector => true,
            Honoured::Access
            | Honoured::Alias
            | Honoured::Cleanup
            | Honoured::Const
            | Honoured::GnuInline
            | Honoured::Interrupt
            | Honoured::Naked
            | Honoured::Noinit
            | Honoured::Noreturn
            | Honoured::ReturnsNonnull
            | Honoured::Optimize
            | Honoured::ProgramMemory
            | Honoured::Pure
            | Honoured::RunsOutsideMain
            | Honoured::ReturnsTwice
            | Honoured::Section
            | Honoured::Target
            | Honoured::Weak => false,
        }
    }
}

use Decision::{NoEffect, Refused};

const fn honoured(what: Honoured) -> Decision {
    Decision::Honoured(what)
}

/// A number of attributes with the same decision.
pub struct Group {
    /// Who knows them.
    pub origin: &'static str,
    pub decision: Decision,
    pub names: &'static [&'static str],
}

const fn group(origin: &'static str, decision: Decision, names: &'static [&'static str]) -> Group {
    Group { origin, decision, names }
}

pub const TABLE: &[Group] = &[
    group("gcc", honoured(Honoured::Access), &["access"]),
    group("gcc", honoured(Honoured::Alias), &["alias"]),
    group("gcc", honoured(Honoured::Aligned), &["aligned"]),
    group("gcc", honoured(Honoured::Cleanup), &["cleanup"]),
    group("gcc", honoured(Honoured::Const), &["const"]),
    group("gcc", honoured(Honoured::GnuInline), &["gnu_inline"]),
    group("gcc", honoured(Honoured::Mode), &["mode"]),
    group("gcc", honoured(Honoured::Naked), &["naked"]),
    group("gcc", honoured(Honoured::Noinit), &["noinit"]),
    group("gcc", honoured(Honoured::Noreturn), &["noreturn", "volatile"]),
    group("gcc", honoured(Honoured::Optimize), &["optimize"]),
    group("gcc", honoured(Honoured::Packed), &["packed"]),
    group("gcc", honoured(Honoured::Pure), &["pure"]),
    group("gcc", honoured(Honoured::RunsOutsideMain), &["constructor", "destructor"]),
    group("gcc", honoured(Honoured::ReturnsNonnull), &["returns_nonnull"]),
    group("gcc", honoured(Honoured::ReturnsTwice), &["returns_twice"]),
    group("gcc", honoured(Honoured::Section), &["section"]),
    group("gcc", honoured(Honoured::StorageOrder), &["scalar_storage_order"]),
    group("gcc", honoured(Honoured::Target), &["target", "target_clones"]),
    group("gcc", honoured(Honoured::TransparentUnion), &["transparent_union"]),
    group("gcc", honoured(Honoured::Vector), &["vector_size"]),
    group("gcc", honoured(Honoured::Weak), &["weak"]),
    group("gcc", Refused("whether the function exists is decided by the linker"), &["weakref"]),
    group("gcc", Refused("the resolver chooses the function when the program is loaded"), &["ifunc"]),
    group("gcc", Refused("the object keeps its value from one run of the program to the next"), &["persistent"]),
    group("gcc", Refused("attributes of other declarations are not copied"), &["copy"]),
    group(
        "gcc",
        Refused("transactional memory is not modelled"),
        &[
            "transaction_callable",
            "transaction_may_cancel_outer",
            "transaction_pure",
            "transaction_safe",
            "transaction_safe_dynamic",
            "transaction_unsafe",
            "transaction_wrap",
        ],
    ),
    group("gcc", Refused("it is the compiler's own"), &["signed_bool_precision", "vector_mask"]),
    group(
        "gcc",
        NoEffect,
        &[
            "alloc_align",
            "alloc_size",
            "always_inline",
            "artificial",
            "assume_aligned",
            "bnd_instrument",
            "bnd_legacy",
            "bnd_variable_size",
            "cold",
            "common",
            "deprecated",
            "designated_init",
            "error",
            "externally_visible",
            "fallthrough",
            "flatten",
            "format",
            "format_arg",
            "hot",
            "leaf",
            "malloc",
            "may_alias",
            "no_address_safety_analysis",
            "no_icf",
            "no_instrument_function",
            "no_profile_instrument_function",
            "no_reorder",
            "no_sanitize",
            "no_sanitize_address",
            "no_sanitize_coverage",
            "no_sanitize_thread",
            "no_sanitize_undefined",
            "no_split_stack",
            "no_stack_limit",
            "no_stack_protector",
            "noclone",
            "nocommon",
            "noinline",
            "noipa",
            "nonnull",
            "nonstring",
            "noplt",
            "nothrow",
            "objc_nullability",
            "objc_root_class",
            "patchable_function_entry",
            "retain",
            "sentinel",
            "simd",
            "stack_protect",
            "symver",
            "tainted_args",
            "tls_model",
            "unavailable",
            "uninitialized",
            "unused",
            "used",
            "visibility",
            "warn_if_not_aligned",
            "warn_unused",
            "warn_unused_result",
            "warning",
            "zero_call_used_regs",
        ],
    ),
    group("x86", honoured(Honoured::Interrupt), &["interrupt", "interrupt_handler"]),
    group("x86", Refused("Microsoft's layout of bit-fields is not modelled"), &["ms_struct"]),
    group(
        "x86",
        NoEffect,
        &[
            "callee_pop_aggregate_return",
            "cdecl",
            "cf_check",
            "fastcall",
            "fentry_name",
            "fentry_section",
            "force_align_arg_pointer",
            "function_return",
            "gcc_struct",
            "indirect_branch",
            "indirect_return",
            "ms_abi",
            "ms_hook_prologue",
            "no_caller_saved_registers",
            "nocf_check",
            "nodirect_extern_access",
            "regparm",
            "sseregparm",
            "stdcall",
            "sysv_abi",
            "thiscall",
        ],
    ),
    group("ARM", honoured(Honoured::Interrupt), &["isr"]),
    group(
        "ARM",
        NoEffect,
        &["cmse_nonsecure_call", "cmse_nonsecure_entry", "long_call", "pcs", "short_call", "value_in_regs"],
    ),
    group("AVR", honoured(Honoured::Interrupt), &["nmi", "signal"]),
    group("AVR", honoured(Honoured::ProgramMemory), &["progmem"]),
    group("AVR", Refused("the object is a device's"), &["address", "io", "io_low"]),
    group("AVR", NoEffect, &["OS_main", "OS_task", "absdata", "no_gccisr"]),
    group("Windows", NoEffect, &["dllexport", "dllimport", "selectany"]),
    group(
        "C23 and later gcc",
        NoEffect,
        &["counted_by", "fd_arg", "fd_arg_read", "fd_arg_write", "likely", "maybe_unused", "nodiscard", "unlikely"],
    ),
    group(
        "clang and checkers",
        NoEffect,
        &[
            "analyzer_noreturn",
            "annotate",
            "argument_with_type_tag",
            "availability",
            "bitwise",
            "bounded",
            "capability",
            "context",
            "disable_tail_calls",
            "enum_extensibility",
            "flag_enum",
            "force",
            "guarded_by",
            "ldv_model",
            "ldv_model_inline",
            "minsize",
            "no_builtin",
            "no_sanitize_memory",
            "no_thread_safety_analysis",
            "nodebug",
            "noderef",
            "noescape",
            "optnone",
            "preserve_most",
            "swift_name",
            "type_tag_for_datatype",
        ],
    ),
];

/// The decision for an attribute, its name without protecting underscores; `None` where nobody is known to know it.
pub fn decision(name: &str) -> Option<Decision> {
    // The parser's own way to hand on `#pragma pack`.
    if name == "pragma_pack" {
        return Some(honoured(Honoured::Pack));
    }
    TABLE.iter().find(|group| group.names.contains(&name)).map(|group| group.decision)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_attribute_has_one_decision() {
        let mut seen = HashSet::new();
        for name in TABLE.iter().flat_map(|group| group.names) {
            assert!(seen.insert(name), "{name}");
            assert!(decision(name).is_some());
        }
        assert_eq!(decision("no_such_attribute"), None);
    }
}
