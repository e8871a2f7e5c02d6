//! Memory that holds recorded values in the compiled program: objects without a definition and fresh heap memory.

use super::answers::Answers;
use super::emit::initialiser;
use plumb_ir::program::Program;
use std::fmt::Write;

/// How the heap of the compiled program is watched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Heap {
    /// Not at all: the library's own functions are called.
    Untouched,
    /// Fresh memory is filled as recorded, and none of a block without bytes may be used.
    Filled,
    /// Besides, whatever is still allocated at the end breaks the property.
    Cleaned,
}

impl Heap {
    /// `has_blocks` says that a sanitizer watches blocks which the recorded inputs do not tell of: those of `calloc`.
    pub fn of(answers: &Answers, must_be_empty: bool, has_blocks: bool) -> Heap {
        match (must_be_empty, answers.heap.is_empty() && !has_blocks) {
            (true, _) => Heap::Cleaned,
            (false, false) => Heap::Filled,
            (false, true) => Heap::Untouched,
        }
    }

    /// The functions that the linker is to lead through the harness.
    pub fn wrapped(self) -> &'static [&'static str] {
        match self {
            Heap::Untouched => &[],
            Heap::Filled => &["malloc", "realloc", "calloc"],
            Heap::Cleaned => &["malloc", "realloc", "calloc", "strdup", "strndup", "aligned_alloc", "free", "abort"],
        }
    }
}

pub(super) fn emit(out: &mut String, program: &Program, answers: &Answers, heap: Heap) {
    objects(out, program, answers);
    self::heap(out, answers, heap);
}

fn objects(out: &mut String, program: &Program, answers: &Answers) {
    for (name, (cty, content)) in &answers.objects {
        let table = &program.types.table;
        let size = cty.and_then(|c| table.size_of(c)).unwrap_or(0).max(content.len() as u64).max(1);
        let align = cty.map_or(16, |c| table.align_of(c).max(1));
        let _ = write!(
            out,
            "unsigned char {name}[{size}] __attribute__((weak, aligned({align}))) = {};\n\n",
            initialiser(content)
        );
    }
}

/// An allocator around the real one that fills fresh memory as recorded.
fn heap(out: &mut String, answers: &Answers, heap: Heap) {
    if heap == Heap::Untouched {
        return;
    }
    let mut fills = "0".to_string();
    if !answers.heap_is_zero() {
        for (i, content) in answers.heap.iter().enumerate().filter(|(_, c)| c.iter().any(|b| *b != 0)) {
            let _ = writeln!(out, "static const unsigned char plumb_heap_{i}[] = {};", initialiser(content));
        }
        let list = answers.heap.iter().enumerate().map(|(i, content)| match content.iter().rposition(|b| *b != 0) {
            Some(last) => format!("{{ plumb_heap_{i}, {} }}", last + 1),
            None => "{ 0, 0 }".to_string(),
        });
        fills = list.collect::<Vec<_>>().join(", ");
    } else {
        fills = format!("{{ {fills}, 0 }}");
    }
    let _ = writeln!(
        out,
        "static const struct {{ const unsigned char *bytes; plumb_size size; }} plumb_heap[] = {{ {fills} }};"
    );
    out.push_str(HEAP);
    if heap == Heap::Cleaned {
        out.push_str(CLEANED);
    }
}

/// Sizes are remembered since `realloc` fills only what it adds. Starts are kept with their bits turned over: a table of
/// plain pointers would make every block reachable, and the leak that is looked for would be none.
const HEAP: &str = "
extern void *__real_malloc(plumb_size);
extern void *__real_calloc(plumb_size, plumb_size);
extern void *__real_realloc(void *, plumb_size);
struct plumb_block { plumb_size hidden, size; int is_live; struct plumb_block *next; };
static struct plumb_block *plumb_blocks[4096];

static void PLUMB_QUIET plumb_fill(unsigned char *to, plumb_size size)
{
    static unsigned long at;
    for (plumb_size i = 0; i < size; i++)
        to[i] = 0;
    if (at < sizeof plumb_heap / sizeof *plumb_heap) {
        plumb_copy(to, plumb_heap[at].bytes, size < plumb_heap[at].size ? size : plumb_heap[at].size);
        at++;
    }
}

/* Sanitizers give a block of no bytes one byte that may be used. */
extern void __asan_poison_memory_region(const volatile void *, plumb_size) __attribute__((weak));

static void PLUMB_QUIET plumb_empty(void *start)
{
    if (__asan_poison_memory_region)
        __asan_poison_memory_region(start, 1);
}

static struct plumb_block *PLUMB_QUIET plumb_find(void *start)
{
    struct plumb_block *block = plumb_blocks[(plumb_size)start / 16 % 4096];
    while (block && block->hidden != ~(plumb_size)start)
        block = block->next;
    return block;
}

static struct plumb_block *PLUMB_QUIET plumb_block(void *start)
{
    struct plumb_block *block = plumb_find(start), **list = &plumb_blocks[(plumb_size)start / 16 % 4096];
    if (!block) {
        block = __real_malloc(sizeof *block);
        block->hidden = ~(plumb_size)start;
        block->size = 0;
        block->next = *list;
        *list = block;
    }
    block->is_live = 1;
    return block;
}

static void PLUMB_QUIET plumb_forget(void *start)
{
    struct plumb_block *block = plumb_find(start);
    if (block)
        block->is_live = 0;
}

void *PLUMB_QUIET __wrap_malloc(plumb_size size)
{
    void *start = __real_malloc(size);
    if (start) {
        plumb_fill(start, size);
        plumb_block(start)->size = size;
        if (!size)
            plumb_empty(start);
    }
    return start;
}

void *PLUMB_QUIET __wrap_realloc(void *old, plumb_size size)
{
    plumb_size kept;
    void *start;
    if (!old)
        return __wrap_malloc(size);
    kept = plumb_block(old)->size;
    start = __real_realloc(old, size);
    if (start || !size)
        plumb_forget(old);
    if (start) {
        if (kept < size)
            plumb_fill((unsigned char *)start + kept, size - kept);
        plumb_block(start)->size = size;
    }
    return start;
}

void *PLUMB_QUIET __wrap_calloc(plumb_size count, plumb_size size)
{
    void *start = __real_calloc(count, size);
    if (start) {
        plumb_block(start)->size = count * size;
        if (!(count * size))
            plumb_empty(start);
    }
    return start;
}

";

/// What is left when the program ends, by itself or by `abort`. Other destructors run before.
const CLEANED: &str = "extern char *__real_strdup(const char *);
extern char *__real_strndup(const char *, plumb_size);
extern void *__real_aligned_alloc(plumb_size, plumb_size);
extern void __real_free(void *);
extern void __real_abort(void) __attribute__((noreturn));

static void *PLUMB_QUIET plumb_known(void *start, plumb_size size)
{
    if (start)
        plumb_block(start)->size = size;
    return start;
}

void *PLUMB_QUIET __wrap_aligned_alloc(plumb_size alignment, plumb_size size)
{
    return plumb_known(__real_aligned_alloc(alignment, size), size);
}

char *PLUMB_QUIET __wrap_strdup(const char *text)
{
    return plumb_known(__real_strdup(text), __builtin_strlen(text) + 1);
}

char *PLUMB_QUIET __wrap_strndup(const char *text, plumb_size most)
{
    char *copy = __real_strndup(text, most);
    return plumb_known(copy, copy ? __builtin_strlen(copy) + 1 : 0);
}

void PLUMB_QUIET __wrap_free(void *start)
{
    plumb_forget(start);
    __real_free(start);
}

static void PLUMB_QUIET __attribute__((destructor(101))) plumb_end(void)
{
    for (int i = 0; i < 4096; i++)
        for (struct plumb_block *block = plumb_blocks[i]; block; block = block->next)
            if (block->is_live)
                plumb_violated();
}

void PLUMB_QUIET __attribute__((noreturn)) __wrap_abort(void)
{
    plumb_end();
    __real_abort();
}

";
