# The same as _bits.py, for the compiled rooms, which take these in line.

ctypedef unsigned long long u64

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define osmosis_index_of(bit) __builtin_ctzll(bit)
    #else
    static int osmosis_index_of(unsigned long long bit) {
        int i = 0;
        while (!(bit & 1)) { bit >>= 1; i++; }
        return i;
    }
    #endif
    static int osmosis_count_of(unsigned long long bits) {
        bits -= (bits >> 1) & 0x5555555555555555ULL;
        bits = (bits & 0x3333333333333333ULL) + ((bits >> 2) & 0x3333333333333333ULL);
        bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
        return (int)((bits * 0x0101010101010101ULL) >> 56);
    }
    #define osmosis_slot_of(key, shift) (((key) * 0x9E3779B97F4A7C15ULL) >> (shift))
    """
    int index_of "osmosis_index_of"(u64 bit) noexcept nogil
    int count_of "osmosis_count_of"(u64 bits) noexcept nogil
    Py_ssize_t slot_of "osmosis_slot_of"(u64 key, int shift) noexcept nogil
