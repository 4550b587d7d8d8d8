//! The answer that is given when everything else has failed: the only file with unsafe code.
//!
//! A hook that dies lets the action through, so a prepared answer is written by whatever still runs then: a handler
//! of the fatal signals, of the deadline's alarm, or the panic hook. Exactly one answer leaves the process: who
//! speaks has to win [`claim`] first. The handlers only read memory that was published whole, write and exit.

#![expect(unsafe_code, reason = "signals, timers and limits have no safe interface in std")]

use std::fs::File;
use std::io;
use std::os::fd::IntoRawFd;
use std::panic;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::time::Duration;

use libc::{c_int, c_void};

/// The signals that end a process, and how the log calls them.
const FATAL: [(c_int, &str); 11] = [
    (libc::SIGABRT, "abort"),
    (libc::SIGSEGV, "segmentation fault"),
    (libc::SIGBUS, "bus error"),
    (libc::SIGILL, "illegal instruction"),
    (libc::SIGFPE, "arithmetic fault"),
    (libc::SIGALRM, "deadline"),
    (libc::SIGPROF, "too much work"),
    (libc::SIGXCPU, "limit of processor time"),
    (libc::SIGTERM, "ended"),
    (libc::SIGINT, "interrupted"),
    (libc::SIGHUP, "hung up"),
];

/// The handlers' own stack, in bytes: they have to run when the main one has overflowed. The kernel's own frame
/// takes up to 11 KiB of it.
const STACK: usize = 64 * 1024;

static ARMED: AtomicBool = AtomicBool::new(false);
static SPOKEN: AtomicBool = AtomicBool::new(false);
static ANSWER: AtomicPtr<LastWord> = AtomicPtr::new(ptr::null_mut());
static LOG: AtomicPtr<LastLogLine> = AtomicPtr::new(ptr::null_mut());
static INHERITED: AtomicPtr<ResourceLimits> = AtomicPtr::new(ptr::null_mut());
static OWN: AtomicPtr<ResourceLimits> = AtomicPtr::new(ptr::null_mut());

/// What a process says when it can't say anything else, and its exit code then.
#[derive(Debug, Clone, Default)]
pub struct LastWord {
    /// For stdout; empty for silence.
    pub stdout: Vec<u8>,
    /// For stderr.
    pub stderr: Vec<u8>,
    /// The exit code.
    pub code: u8,
}

/// A line for the log: its text around the cause, and where it goes.
struct LastLogLine {
    file: c_int,
    before: Vec<u8>,
    after: Vec<u8>,
}

struct ResourceLimits {
    address_space: libc::rlimit,
    core: libc::rlimit,
}

/// Arms the last word: from here on a panic, a fatal signal, memory beyond `address_space` bytes or the end of
/// `deadline` makes the process say `answer` and exit with its code. One that has answered already exits with 0.
///
/// To be called once, by the main thread of a process that exists for this one answer.
pub fn arm(answer: LastWord, deadline: Option<Duration>, address_space: u64) {
    publish(&ANSWER, answer);
    ARMED.store(true, Ordering::Release);
    panic::set_hook(Box::new(|info| {
        let code = speak();
        let place = info.location().map(|place| format!("panic at {}:{}", place.file(), place.line()));
        record(place.as_deref().unwrap_or("panic").as_bytes());
        leave(code)
    }));
    handle_signals();
    limit(address_space);
    set_deadline(deadline);
}

/// Replaces the prepared answer. Nothing happens in a process that is not armed.
pub fn set_answer(answer: LastWord) {
    if armed() {
        publish(&ANSWER, answer);
    }
}

/// Replaces the deadline, counted from now; `None` waits for ever. Nothing happens in a process that is not armed.
pub fn set_deadline(deadline: Option<Duration>) {
    set_timer(libc::ITIMER_REAL, deadline);
}

/// Bounds the processor time that is left from now on, which other processes don't shorten; `None` lifts the bound.
/// Nothing happens in a process that is not armed.
pub fn set_work(work: Option<Duration>) {
    set_timer(libc::ITIMER_PROF, work);
}

/// What is left until the deadline; `None` when there is none.
pub fn time_left() -> Option<Duration> {
    let mut timer = timer_of(Duration::ZERO);
    // SAFETY: `timer` outlives the call.
    unsafe { libc::getitimer(libc::ITIMER_REAL, &raw mut timer) };
    let left = Duration::new(
        timer.it_value.tv_sec.try_into().unwrap_or_default(),
        u32::try_from(timer.it_value.tv_usec).unwrap_or_default().saturating_mul(1_000),
    );
    (!left.is_zero()).then_some(left)
}

fn set_timer(which: c_int, time: Option<Duration>) {
    if armed() {
        let timer = timer_of(time.unwrap_or_default());
        // SAFETY: `timer` outlives the call; a null old value is allowed.
        unsafe { libc::setitimer(which, &raw const timer, ptr::null_mut()) };
    }
}

fn timer_of(time: Duration) -> libc::itimerval {
    libc::itimerval {
        it_interval: libc::timeval { tv_sec: 0, tv_usec: 0 },
        it_value: libc::timeval {
            tv_sec: time.as_secs().try_into().unwrap_or(libc::time_t::MAX),
            tv_usec: time.subsec_micros() as libc::suseconds_t,
        },
    }
}

/// Has the last word leave a line in the log: `before`, the cause (no quote, no backslash) and `after`, in one
/// write. Nothing happens in a process that is not armed.
pub fn set_log(file: File, before: Vec<u8>, after: Vec<u8>) {
    if armed() {
        publish(&LOG, LastLogLine { file: file.into_raw_fd(), before, after });
    }
}

/// Takes the right to answer, once; `false` when the answer is given already. Calls off the deadline, so that the
/// answer which follows isn't cut.
pub fn claim() -> bool {
    set_deadline(None);
    set_work(None);
    !SPOKEN.swap(true, Ordering::SeqCst)
}

/// Runs `work` with the limits that the process was started with: what it spawns (the project's own tests) inherits
/// them, and a runtime that reserves more address space than a hook needs still starts.
pub fn with_inherited_limits<T>(work: impl FnOnce() -> T) -> T {
    apply(published(&INHERITED));
    let result = work();
    apply(published(&OWN));
    result
}

fn armed() -> bool {
    ARMED.load(Ordering::Acquire)
}

/// Puts a whole value where a handler finds it. The one before stays allocated: a handler may be reading it.
fn publish<T>(slot: &AtomicPtr<T>, value: T) {
    slot.store(Box::into_raw(Box::new(value)), Ordering::Release);
}

fn published<T>(slot: &AtomicPtr<T>) -> Option<&'static T> {
    // SAFETY: a slot holds null or what `publish` made of a box, which is neither freed nor changed afterwards.
    unsafe { slot.load(Ordering::Acquire).as_ref() }
}

fn handle_signals() {
    let stack = libc::stack_t {
        // Not zeroed: its pages are touched by a handler or by nobody.
        ss_sp: Box::leak(Box::<[u8]>::new_uninit_slice(STACK)).as_mut_ptr().cast::<c_void>(),
        ss_flags: 0,
        ss_size: STACK,
    };
    // SAFETY: the stack is leaked, so it outlives every handler; `sigaction` is plain data for which zero is valid;
    // the handler has the signature that flags without SA_SIGINFO ask for, and calls nothing unsafe in a signal.
    unsafe {
        libc::sigaltstack(&raw const stack, ptr::null_mut());
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_signal as extern "C" fn(c_int) as libc::sighandler_t;
        action.sa_flags = libc::SA_ONSTACK;
        libc::sigfillset(&raw mut action.sa_mask);
        for (signal, _) in FATAL {
            libc::sigaction(signal, &raw const action, ptr::null_mut());
        }
        // A file that may not grow is an error of the write, like a full disk. A handler, since children keep what is
        // ignored.
        action.sa_sigaction =
            on_full as extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) as libc::sighandler_t;
        action.sa_flags |= libc::SA_SIGINFO;
        libc::sigaction(libc::SIGXFSZ, &raw const action, ptr::null_mut());
    }
}

/// Lowers the soft limits; the hard ones stay, so that children can be given the inherited ones.
fn limit(address_space: u64) {
    let none = || libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    let mut inherited = ResourceLimits { address_space: none(), core: none() };
    // SAFETY: both structures outlive the calls.
    let failed = unsafe {
        libc::getrlimit(libc::RLIMIT_AS, &raw mut inherited.address_space) != 0
            || libc::getrlimit(libc::RLIMIT_CORE, &raw mut inherited.core) != 0
    };
    if failed {
        return;
    }
    let lower = |limit: libc::rlimit, most: u64| libc::rlimit { rlim_cur: limit.rlim_cur.min(most), ..limit };
    let own = ResourceLimits {
        address_space: lower(inherited.address_space, address_space),
        core: lower(inherited.core, 0),
    };
    publish(&INHERITED, inherited);
    publish(&OWN, own);
    apply(published(&OWN));
}

fn apply(limits: Option<&ResourceLimits>) {
    let Some(limits) = limits else { return };
    // SAFETY: both structures outlive the calls.
    unsafe {
        libc::setrlimit(libc::RLIMIT_AS, &raw const limits.address_space);
        libc::setrlimit(libc::RLIMIT_CORE, &raw const limits.core);
    }
}

extern "C" fn on_signal(signal: c_int) {
    let code = speak();
    let cause = FATAL.iter().find(|(known, _)| *known == signal).map_or("signal", |(_, cause)| cause);
    record(cause.as_bytes());
    leave(code)
}

/// A write of this process went beyond the largest file: the write fails, and that is told. Whoever else sends the
/// signal wants an end.
extern "C" fn on_full(signal: c_int, info: *mut libc::siginfo_t, _: *mut c_void) {
    // SAFETY: the kernel hands a handler with SA_SIGINFO a whole structure, for as long as the handler runs.
    let sender = unsafe { info.as_ref().map(|info| info.si_pid()) };
    // SAFETY: asks for a number.
    if sender.is_some_and(|sender| sender != unsafe { libc::getpid() }) {
        on_signal(signal);
    }
}

/// Writes the prepared answer unless an answer was given. Returns the exit code that belongs to it.
fn speak() -> u8 {
    if SPOKEN.swap(true, Ordering::SeqCst) {
        return 0;
    }
    let Some(answer) = published(&ANSWER) else { return 0 };
    write_all(libc::STDERR_FILENO, &answer.stderr);
    write_all(libc::STDOUT_FILENO, &answer.stdout);
    answer.code
}

fn write_all(file: c_int, mut rest: &[u8]) {
    while !rest.is_empty() {
        // SAFETY: the pointer and the length are those of a live slice.
        let written = unsafe { libc::write(file, rest.as_ptr().cast::<c_void>(), rest.len()) };
        match usize::try_from(written) {
            Ok(0) => return,
            Ok(written) => rest = rest.get(written..).unwrap_or_default(),
            Err(_) if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

fn record(cause: &[u8]) {
    let Some(log) = published(&LOG) else { return };
    let part = |bytes: &[u8]| libc::iovec {
        iov_base: bytes.as_ptr().cast::<c_void>().cast_mut(),
        iov_len: bytes.len(),
    };
    let line = [part(&log.before), part(cause), part(&log.after)];
    // SAFETY: the three parts are live slices which are only read.
    unsafe { libc::writev(log.file, line.as_ptr(), 3) };
}

fn leave(code: u8) -> ! {
    // SAFETY: ends the process at once; nothing runs after it.
    unsafe { libc::_exit(code.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    // An armed process answers for itself alone, so what arming does is tested on the binary, in
    // `tests/hook_protocol.rs`. Here: a process that is not armed can call everything.

    #[test]
    fn an_unarmed_process_has_no_deadline_and_no_limits() {
        set_answer(LastWord { stdout: b"never".to_vec(), ..LastWord::default() });
        set_deadline(Some(Duration::from_millis(1)));
        std::thread::sleep(Duration::from_millis(30));
        assert!(published(&ANSWER).is_none());
        assert_eq!(time_left(), None);
        let limits = || {
            let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
            // SAFETY: the structure outlives the call.
            assert_eq!(unsafe { libc::getrlimit(libc::RLIMIT_CORE, &raw mut limit) }, 0);
            (limit.rlim_cur, limit.rlim_max)
        };
        let before = limits();
        assert_eq!(with_inherited_limits(limits), before);
        assert_eq!(limits(), before);
    }

    #[test]
    fn the_right_to_answer_is_given_once() {
        assert!(claim());
        assert!(!claim());
    }
}
