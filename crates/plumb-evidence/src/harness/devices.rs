//! Device registers of the compiled program: their pages cannot be touched; each access is caught, answered and made again
//! in single step.
//!
//! Reads are answered in the order in which they were recorded. Where the program computes the address of a register from
//! a constant one, only that constant is recorded, so the address of a read need not be the recorded one. One recorded value
//! may take the compiled program several reads: of words, if it is wider than one.

use super::STRAYED;
use super::answers::Answers;
use super::emit::initialiser;
use plumb_ir::check::CheckKind;
use plumb_ir::input::InputId;
use plumb_ir::program::{Assumption, AssumptionKind, Program};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;

const PAGE: u64 = 4096;

/// A read of a register, as recorded.
#[derive(Clone, Debug)]
pub(super) struct Read {
    pub input: InputId,
    pub address: u64,
    pub bytes: Vec<u8>,
    /// The bytes hold bit-fields: gcc may read others around them.
    pub is_bits: bool,
}

/// What the handler's text relies on: it comes before any other.
pub(super) const HEADERS: &str = "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE 1\n#endif\n#include <signal.h>\n\
                                  #include <sys/mman.h>\n#include <ucontext.h>\n\n";

/// Whether the program accesses registers, whether the recorded run does or not.
pub(super) fn has_devices(program: &Program) -> bool {
    let is_device = |assumption: &Assumption| assumption.kind == AssumptionKind::Device;
    !program.devices.is_empty() || program.assumptions.iter().any(is_device)
}

/// The addresses of accesses that the program names; an access has up to 16 bytes.
fn accessed(program: &Program) -> Vec<Range<u64>> {
    let number = |text: &str| u64::from_str_radix(text.trim_start_matches("0x"), 16).ok();
    let devices = program.assumptions.iter().filter(|assumption| assumption.kind == AssumptionKind::Device);
    let ranges = devices.filter_map(|device| match device.name.split_once("..") {
        Some((start, end)) => Some(number(start)?..number(end)?),
        None => number(&device.name).map(|start| start..start.saturating_add(16)),
    });
    ranges.collect()
}

/// The pages of all devices, in order and without overlap: start and size.
fn pages(program: &Program, answers: &Answers) -> Vec<(u64, u64)> {
    let reads = answers.registers.iter().map(|read| read.address..read.address.saturating_add(read.bytes.len() as u64));
    let casts = program.devices.iter().map(|range| range.start..range.end);
    let mut ranges: Vec<Range<u64>> = accessed(program).into_iter().chain(reads).chain(casts).collect();
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut pages: Vec<(u64, u64)> = Vec::new();
    for range in ranges {
        let mut page = range.start / PAGE * PAGE;
        while page < range.end.max(range.start + 1) {
            match pages.last_mut() {
                Some((start, size)) if page < *start + *size => {}
                Some((start, size)) if page == *start + *size => *size += PAGE,
                Some(_) | None => pages.push((page, PAGE)),
            }
            let Some(next) = page.checked_add(PAGE) else { return pages };
            page = next;
        }
    }
    pages
}

/// The addresses at which Linux gives no program memory of its choice, or a sanitizer has its own.
fn is_taken(address: u64, program: &Program, has_asan: bool) -> bool {
    // Programs may not map the first 64 KiB.
    if address < 0x1_0000 {
        return true;
    }
    match program.target.pointer_bits() {
        // Libraries, the stack and the kernel's own pages are at the top.
        64 => address >= 0x7000_0000_0000 || (has_asan && (0x7fff_8000..0x1000_7fff_8000).contains(&address)),
        32 => address >= 0xf000_0000 || (has_asan && (0x2000_0000..0x4000_0000).contains(&address)),
        _ => false,
    }
}

/// The registers that the harness cannot have.
pub(super) fn cannot_map(program: &Program, answers: &Answers, kind: CheckKind) -> Vec<String> {
    let has_asan = matches!(kind, CheckKind::Bounds | CheckKind::Pointer | CheckKind::Free | CheckKind::Leak);
    let accessed = accessed(program).into_iter().map(|range| range.start);
    let starts: BTreeSet<u64> = accessed.chain(answers.registers.iter().map(|read| read.address)).collect();
    let taken = starts.into_iter().filter(|start| is_taken(*start, program, has_asan));
    taken.map(|start| format!("the harness cannot have device registers at {start:#x}")).collect()
}

pub(super) fn emit(out: &mut String, program: &Program, answers: &Answers) {
    if !has_devices(program) {
        return;
    }
    let mut list = String::new();
    for (i, read) in answers.registers.iter().enumerate() {
        let _ = writeln!(out, "static const unsigned char plumb_read_{i}[] = {};", initialiser(&read.bytes));
        let kept = read.bytes.iter().rposition(|b| *b != 0).map_or(1, |last| last + 1);
        let kind = match (program.store_reads.contains(&read.input), read.is_bits) {
            (true, _) => "PLUMB_STORE",
            (false, true) => "PLUMB_BITS",
            (false, false) => "PLUMB_PLAIN",
        };
        let _ =
            writeln!(list, "    {{ {:#x}ul, {}, {kept}, plumb_read_{i}, {kind} }},", read.address, read.bytes.len());
    }
    if list.is_empty() {
        list += "    { 0, 0, 0, 0, PLUMB_PLAIN },\n";
    }
    let mut mapped = String::new();
    for (start, size) in pages(program, answers) {
        let _ = writeln!(mapped, "    {{ {start:#x}ul, {size:#x}ul }},");
    }
    let _ = write!(
        out,
        "enum {{ PLUMB_PLAIN, PLUMB_BITS, PLUMB_STORE }};\n\n/* The first `kept` of the `size` bytes are in the table, \
         the others are zero. */\nstatic const struct {{ unsigned long address, size, kept; const unsigned char *bytes; \
         int kind; }} plumb_reads[] = {{\n{list}}};\nstatic const unsigned long plumb_read_count = {};\nstatic const \
         struct {{ unsigned long start, size; }} plumb_pages[] = {{\n{mapped}}};\nstatic const unsigned long \
         plumb_page_count = sizeof plumb_pages / sizeof *plumb_pages;\n{}",
        answers.registers.len(),
        HANDLERS.replace("STATUS", &STRAYED.to_string())
    );
}

/// A store into bits of a register reads the register first: that read takes no recorded value, the store does.
const HANDLERS: &str = "
#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

static unsigned long plumb_next_read;
/* The last answer: where it begins, and the lowest and the highest address at which it was read. */
static unsigned long plumb_answered, plumb_start, plumb_low, plumb_high;
static unsigned long plumb_open_pages[2];
static int plumb_open_count;
static struct sigaction plumb_other_fault;

static int PLUMB_QUIET plumb_is_device(unsigned long address)
{
    for (unsigned long i = 0; i < plumb_page_count; i++)
        if (address - plumb_pages[i].start < plumb_pages[i].size)
            return 1;
    return 0;
}

/* Whether a read goes on with the last answer, which is wider than a word. */
static int PLUMB_QUIET plumb_goes_on(unsigned long address)
{
    unsigned long size = plumb_next_read ? plumb_reads[plumb_answered].size : 0;
    if (size <= sizeof(long) || address - plumb_start >= size || (address >= plumb_low && address <= plumb_high))
        return 0;
    if (address < plumb_low)
        plumb_low = address;
    else
        plumb_high = address;
    return 1;
}

static void PLUMB_QUIET plumb_answer(unsigned long address)
{
    if (!plumb_goes_on(address)) {
        if (plumb_next_read == plumb_read_count)
            plumb_strayed(\"no value left for the device registers\");
        if (plumb_reads[plumb_next_read].kind == PLUMB_STORE)
            return;
        plumb_answered = plumb_next_read++;
        plumb_start = plumb_low = plumb_high = address;
        if (address - plumb_reads[plumb_answered].address < plumb_reads[plumb_answered].size
            || (plumb_reads[plumb_answered].kind == PLUMB_BITS && plumb_reads[plumb_answered].address - address < 16))
            plumb_start = plumb_reads[plumb_answered].address;
    }
    for (unsigned long i = 0; i < plumb_reads[plumb_answered].size; i++)
        for (int page = 0; page < plumb_open_count; page++)
            if ((plumb_start + i) / 4096 == plumb_open_pages[page])
                *(unsigned char *)(plumb_start + i) =
                    i < plumb_reads[plumb_answered].kept ? plumb_reads[plumb_answered].bytes[i] : 0;
}

static void PLUMB_QUIET plumb_fault(int signal, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    unsigned long address = (unsigned long)info->si_addr;
    if (!plumb_is_device(address)) {
        sigaction(SIGSEGV, &plumb_other_fault, 0);
        return;
    }
    /* An access may reach into the next page. */
    plumb_open_count = 0;
    for (unsigned long page = address / 4096; page <= (address + 15) / 4096; page++)
        if (plumb_is_device(page * 4096) && mprotect((void *)(page * 4096), 4096, PROT_READ | PROT_WRITE) == 0)
            plumb_open_pages[plumb_open_count++] = page;
    if (!plumb_open_count)
        _exit(STATUS);
    if (!(registers[REG_ERR] & 2))
        plumb_answer(address);
    else if (plumb_next_read < plumb_read_count && plumb_reads[plumb_next_read].kind == PLUMB_STORE)
        plumb_next_read++;
    registers[REG_EFL] |= 0x100;
}

static void PLUMB_QUIET plumb_stepped(int signal, siginfo_t *info, void *context)
{
    while (plumb_open_count)
        mprotect((void *)(plumb_open_pages[--plumb_open_count] * 4096), 4096, PROT_NONE);
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~0x100;
}

/* Before other constructors, which may look at devices. */
static void PLUMB_QUIET __attribute__((constructor(1))) plumb_devices(void)
{
    struct sigaction action = { 0 };
    for (unsigned long i = 0; i < plumb_page_count; i++)
        mmap((void *)plumb_pages[i].start, plumb_pages[i].size, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = plumb_fault;
    sigaction(SIGSEGV, &action, &plumb_other_fault);
    action.sa_sigaction = plumb_stepped;
    sigaction(SIGTRAP, &action, 0);
}

";
