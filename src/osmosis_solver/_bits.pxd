# The same as _bits.py, for the compiled rooms, which take these in line.

ctypedef unsigned long long u64

cdef extern from *:
    """
    #if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
    /* Every x86-64 processor since 2008 counts bits in one instruction. */
    #pragma GCC target("popcnt")
    #endif
    #if defined(__GNUC__) || defined(__clang__)
    #define osmosis_index_of(bit) __builtin_ctzll(bit)
    #define osmosis_top_of(bits) (63 - __builtin_clzll(bits))
    #else
    static int osmosis_top_of(unsigned long long bits) {
        int i = 63;
        while (!(bits >> i)) i--;
        return i;
    }
    static int osmosis_index_of(unsigned long long bit) {
        int i = 0;
        while (!(bit & 1)) { bit >>= 1; i++; }
        return i;
    }
    #endif
    #if defined(__POPCNT__) || defined(__aarch64__) || defined(__clang__)
    #define osmosis_count_of(bits) __builtin_popcountll(bits)
    #else
    static int osmosis_count_of(unsigned long long bits) {
        bits -= (bits >> 1) & 0x5555555555555555ULL;
        bits = (bits & 0x3333333333333333ULL) + ((bits >> 2) & 0x3333333333333333ULL);
        bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
        return (int)((bits * 0x0101010101010101ULL) >> 56);
    }
    #endif
    #define osmosis_slot_of(key, shift) (((key) * 0x9E3779B97F4A7C15ULL) >> (shift))
    #if defined(__GNUC__) || defined(__clang__)
    #define osmosis_prefetch(address) __builtin_prefetch(address)
    #else
    #define osmosis_prefetch(address)
    #endif
    static CYTHON_INLINE unsigned long long osmosis_union_of(
        const unsigned long long *sets, unsigned long long bits
    ) {
        unsigned long long found = 0;
        while (bits) {
            found |= sets[osmosis_index_of(bits & -bits)];
            bits &= bits - 1;
        }
        return found;
    }
    #define OSMOSIS_STEP 0x9E3779B97F4A7C15ULL
    static CYTHON_INLINE unsigned long long osmosis_mixed(unsigned long long word) {
        word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9ULL;
        word = (word ^ (word >> 27)) * 0x94D049BB133111EBULL;
        return word ^ (word >> 31);
    }
    static CYTHON_INLINE unsigned long long osmosis_playable_of(
        unsigned long long home, unsigned long long row1, unsigned long long deck,
        unsigned long long bases, int base_rank, int any_start
    ) {
        unsigned long long below = (home << 13) & deck;
        if (any_start) return row1 | below;
        return row1 | (below & ((((home >> base_rank) & 0x0000008004002001ULL) * 0x1FFF) | bases));
    }
    """
    u64 playable_of "osmosis_playable_of"(u64 home, u64 row1, u64 deck, u64 bases, int base_rank, bint any_start) noexcept nogil
    void prefetch "osmosis_prefetch"(void* address) noexcept nogil
    int index_of "osmosis_index_of"(u64 bit) noexcept nogil
    int top_of "osmosis_top_of"(u64 bits) noexcept nogil
    int count_of "osmosis_count_of"(u64 bits) noexcept nogil
    Py_ssize_t slot_of "osmosis_slot_of"(u64 key, int shift) noexcept nogil
    u64 STEP "OSMOSIS_STEP"
    u64 mixed "osmosis_mixed"(u64 word) noexcept nogil
    u64 union_of "osmosis_union_of"(u64* sets, u64 bits) noexcept nogil
