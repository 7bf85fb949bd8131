"""Functions that kernels call and that the compiler replaces by bodies of its own."""


def store(into, slot, values):
    """Store the values of an element in the columns of a worklist, as many as there are columns."""
    for column, value in zip(into, values, strict=False):
        column[slot] = value


def load_word(array, i):
    """Return eight bytes of an array of bytes as one number, the first byte lowest."""
    return int.from_bytes(array[i : i + 8].tobytes(), "little")


def leading_zeros(bits):
    """Count the zeros above the highest set bit of 64."""
    return 64 - int(bits).bit_length()


def trailing_zeros(bits):
    """Count the zeros below the lowest set bit."""
    return (int(bits) & -int(bits)).bit_length() - 1
