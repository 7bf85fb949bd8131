"""The native side of a team of threads: loops that Numba compiles once, to one block of machine code.

The threads share a *mailbox*; each launch has a *post*, which says what to run. Both are memory at an
address, and their fields are distances in bytes.

A launch is a kernel over ranges of indices (*segments*), cut into *parts* of equal size. All threads take
parts by one atomic counter, the *ticket*. It holds the number of parts in its high bits, so one atomic
addition says which part a thread gets and whether there is one. A helper that comes late, perhaps in the next
launch, takes a valid part or none. A post does not change, and stays in memory, while a part of it is taken
and not yet counted as done.
"""

import numpy as np

from boruvka.kernels.kernel_functions import (
    call_c,
    call_kernel,
    exchange_word,
    fetch_add_word,
    load_word_at,
    pause,
    store_word_at,
)

U64 = np.uint64
ZERO, ONE, TWO, WORD, PAIR = U64(0), U64(1), U64(2), U64(8), U64(16)
HALF, LOW_HALF, NONE = U64(32), U64(0xFFFFFFFF), ~U64(0)

# Operations of `team`
HELP, HELP_ONCE, LAUNCH, FINISH, CANCEL = (U64(k) for k in range(5))

# The mailbox. Words of different writers are 128 bytes apart: processors fetch lines of 64 bytes in pairs.
EPOCH, POST, SURPLUS = U64(0), U64(8), U64(16)  # number of launches, on which helpers sleep; see the post
TICKET = U64(128)
DONE, CALLER_SLEEPS, SUM = U64(256), U64(264), U64(272)  # parts that are done, on which the caller sleeps
SLEEPERS, BUSY = U64(384), U64(392)  # number of helpers that sleep; whether there is a launch
FUTEX, SYSTEM_CALL, FILL, SPINS, STOP = (U64(512 + 8 * k) for k in range(5))  # constants; the order to end
OWN, OWN_WORDS = U64(640), U64(160)  # for each thread: a word for a result, then the words of a kernel

# The post
PARTS, ENTRY, WORDS = U64(0), U64(8), U64(16)  # number of parts; the kernel, and how many words it takes
SEGMENTS, SIZE = U64(24), U64(32)  # pairs of words; how many indices they have, or NONE: each is a part
THIRD = U64(40)  # what the third word of a call is: see `run_part`
OWN_ARRAYS, USED, USED_BYTES = U64(48), U64(56), U64(64)  # number of arrays of each thread; see `begin_parts`
RESULTS, TOTAL, FAILED = U64(72), U64(80), U64(88)  # a pair for each part, or 0; a sum; whether one failed
STAY_ASLEEP = U64(96)  # number of helpers that are not woken, because there are no processors for them
WHOLE = U64(104)  # two words: one range of all indices
HEADER = U64(120)  # the words follow, then three for each array of a thread: which word, and where rows are

GIVEN, CHAINED = U64(0), U64(1)  # values of THIRD; others are the address of a word for each part
FINISHED, UNFINISHED, NOT_BEGUN = U64(1), U64(2), U64(3)  # what a launch returns
WAIT, WAKE = U64(128), U64(129)  # FUTEX_WAIT_PRIVATE, FUTEX_WAKE_PRIVATE


def team(operation, mailbox, a, b):
    """Do what a thread of a team does; all its loops are one kernel, which is loaded at once."""
    if operation == HELP:
        help_until_stopped(mailbox, a)
    elif operation == HELP_ONCE:
        take_parts(mailbox, a, b)
    elif operation == LAUNCH:
        return launch(mailbox, a, b)
    elif operation == FINISH:
        return finish(mailbox, a, b)
    else:
        cancel(mailbox, a)
    return FINISHED


def help_until_stopped(mailbox, me):
    """Take parts of every launch: the loop of a helper."""
    seen = ZERO
    while not load_word_at(mailbox + STOP):
        seen = next_launch(mailbox, seen)
        ticket = load_word_at(mailbox + TICKET)
        if ticket & LOW_HALF < ticket >> HALF:
            wake(mailbox)  # helpers wake each other, so that the caller need not
        take_parts(mailbox, me, LOW_HALF)


def next_launch(mailbox, seen):
    """Wait until there was another launch than the last one seen: spin, then sleep; return its number."""
    spins = load_word_at(mailbox + SPINS)
    while load_word_at(mailbox + EPOCH) == seen:
        if spins:
            spins -= ONE
            pause()
        else:
            fetch_add_word(mailbox + SLEEPERS, ONE)
            futex(mailbox, EPOCH, WAIT, seen)
            fetch_add_word(mailbox + SLEEPERS, NONE)
    return load_word_at(mailbox + EPOCH)


def wake(mailbox):
    """Wake two helpers, unless as many are awake as there are processors for."""
    if load_word_at(mailbox + SLEEPERS) > load_word_at(mailbox + SURPLUS):
        futex(mailbox, EPOCH, WAKE, TWO)


def take_parts(mailbox, me, most):
    """Run parts until there are none, or the most that this call may run."""
    own = mailbox + OWN + me * OWN_WORDS * WORD
    taken = parts = total = ZERO
    while taken < most:
        ticket = fetch_add_word(mailbox + TICKET, ONE)
        part, parts = ticket & LOW_HALF, ticket >> HALF
        if part >= parts:
            break
        post = load_word_at(mailbox + POST)
        if not taken:
            begin_parts(mailbox, post, own + WORD, me)
        total += run_part(post, own, part)
        taken += ONE
    if taken:
        fetch_add_word(mailbox + SUM, total)
        done = fetch_add_word(mailbox + DONE, taken) + taken
        if done == parts and load_word_at(mailbox + CALLER_SLEEPS):
            futex(mailbox, DONE, WAKE, ONE)


def begin_parts(mailbox, post, words, me):
    """Copy the words of the kernel, so that this thread can change them, with its own arrays.

    Helpers replace the arrays that each thread has: theirs are rows of a larger one. The last of these may be
    a minimum: when a thread begins, all bits of its array are set, and a word of USED says so.
    """
    count = load_word_at(post + WORDS)
    for k in range(count):
        store_word_at(words + k * WORD, load_word_at(post + HEADER + k * WORD))
    array, at = post + HEADER + count * WORD, words
    for _ in range(load_word_at(post + OWN_ARRAYS)):
        at = words + load_word_at(array) * WORD
        if me:
            store_word_at(at, load_word_at(array + WORD) + me * load_word_at(array + PAIR))
        array += WORD + PAIR
    used = load_word_at(post + USED)
    if used and not load_word_at(used + me * WORD):
        call_c(
            load_word_at(mailbox + FILL), load_word_at(at), U64(255), load_word_at(post + USED_BYTES), ZERO
        )
        store_word_at(used + me * WORD, ONE)


def run_part(post, own, part):
    """Call the kernel for each range of a part, one after the other; return what the part adds to the sum.

    The third word of a call is what the post holds (GIVEN); or the first index of the part, and then what the
    call before it returned (CHAINED: a slot); or a word of the part.
    """
    words, segment = own + WORD, load_word_at(post + SEGMENTS)
    size, parts, third = load_word_at(post + SIZE), load_word_at(post + PARTS), load_word_at(post + THIRD)
    begin, end, before = size * part // parts, size * (part + ONE) // parts, ZERO
    if size == NONE:
        segment += PAIR * part
        begin, end = ZERO, load_word_at(segment + WORD) - load_word_at(segment)
    first, slot, total = NONE, ZERO, ZERO
    if third > CHAINED:
        store_word_at(words + PAIR, load_word_at(third + part * WORD))
    while before < end:
        low, length = load_word_at(segment), load_word_at(segment + WORD) - load_word_at(segment)
        a, b = max(begin, before) - before + low, min(end - before, length) + low
        if a < b:
            if first == NONE:
                first = slot = a
            store_word_at(words, a)
            store_word_at(words + WORD, b)
            if third == CHAINED:
                store_word_at(words + PAIR, slot)
            if call_kernel(load_word_at(post + ENTRY), own, words):
                store_word_at(post + FAILED, ONE)
            slot = load_word_at(own)
            total += slot
        before += length
        segment += PAIR
    if first == NONE or third != CHAINED:
        first, slot = ZERO, total
    total = slot - first
    results = load_word_at(post + RESULTS)
    if results:
        store_word_at(results + part * PAIR, first)
        store_word_at(results + part * PAIR + WORD, slot)
    return total


def launch(mailbox, post, most):
    """Post a launch and take parts of it; return FINISHED, UNFINISHED or NOT_BEGUN."""
    if exchange_word(mailbox + BUSY, ONE):
        return NOT_BEGUN  # another thread has the team
    parts = load_word_at(post + PARTS)
    store_word_at(mailbox + POST, post)
    store_word_at(mailbox + SURPLUS, load_word_at(post + STAY_ASLEEP))
    store_word_at(mailbox + DONE, ZERO)
    store_word_at(mailbox + SUM, ZERO)
    store_word_at(mailbox + TICKET, parts << HALF)
    fetch_add_word(mailbox + EPOCH, ONE)
    if parts > ONE:
        wake(mailbox)
    return finish(mailbox, post, most)


def finish(mailbox, post, most):
    """Take parts, and wait for the parts of others; return early after the most parts, or after a signal."""
    parts, spins = load_word_at(post + PARTS), load_word_at(mailbox + SPINS)
    take_parts(mailbox, ZERO, most)
    if load_word_at(mailbox + TICKET) & LOW_HALF < parts:
        return UNFINISHED
    while load_word_at(mailbox + DONE) != parts:
        if spins:
            spins -= ONE
            pause()
        elif sleep_until_done(mailbox, parts) and load_word_at(mailbox + DONE) != parts:
            return UNFINISHED
    store_word_at(post + TOTAL, load_word_at(mailbox + SUM))
    store_word_at(mailbox + BUSY, ZERO)
    return FINISHED


def sleep_until_done(mailbox, parts):
    """Sleep until all parts are done; return whether something else ended the sleep."""
    fetch_add_word(mailbox + CALLER_SLEEPS, ONE)
    done = load_word_at(mailbox + DONE)
    disturbed = done != parts and futex(mailbox, DONE, WAIT, done) != ZERO
    fetch_add_word(mailbox + CALLER_SLEEPS, NONE)
    return disturbed


def cancel(mailbox, post):
    """Drop the parts that are not taken, and wait for the others."""
    taken = min(exchange_word(mailbox + TICKET, ZERO) & LOW_HALF, load_word_at(post + PARTS))
    while load_word_at(mailbox + DONE) != taken:
        pause()
    store_word_at(mailbox + BUSY, ZERO)


def futex(mailbox, field, operation, value):
    """Sleep while a field has a value, or wake as many sleepers; return 0 unless it could not."""
    if not load_word_at(mailbox + FUTEX):
        return ONE  # this system has none: helpers wait in Python
    return call_c(
        load_word_at(mailbox + SYSTEM_CALL), load_word_at(mailbox + FUTEX), mailbox + field, operation, value
    )
