/* A UCI engine in one file, for builds in tests: plays a legal move that SEED chooses, the same in the same position. */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef NAME
#define NAME "Sparrow 1"
#endif
#ifndef SEED
#define SEED 1
#endif

typedef struct {
    char at[128]; /* 0x88: rank * 16 + file; FEN's letters, 0 where empty */
    int white, castling, passant;
} Board;

typedef struct {
    int from, to;
    char promotion;
} Move;

static const int KNIGHT[] = {33, 31, 18, 14, -33, -31, -18, -14}, KING[] = {1, -1, 16, -16, 17, 15, -17, -15};
static Board board;

static int own(const Board *b, int s) { return b->at[s] && (isupper((unsigned char)b->at[s]) != 0) == b->white; }
static int empty(const Board *b, int s) { return !(s & 0x88) && !b->at[s]; }

static int attacked(const Board *b, int s, int by_white) {
    int forward = by_white ? 16 : -16;
    for (int i = 0; i < 2; i++) {
        int from = s - forward + (i ? 1 : -1);
        if (!(from & 0x88) && b->at[from] == (by_white ? 'P' : 'p')) return 1;
    }
    for (int i = 0; i < 8; i++) {
        int from = s + KNIGHT[i];
        if (!(from & 0x88) && b->at[from] == (by_white ? 'N' : 'n')) return 1;
        int far = 0;
        for (from = s + KING[i]; !(from & 0x88); from += KING[i], far = 1) {
            char piece = b->at[from];
            if (!piece) continue;
            if ((isupper((unsigned char)piece) != 0) == by_white) {
                char kind = (char)tolower((unsigned char)piece);
                if (kind == 'q' || kind == (i < 4 ? 'r' : 'b') || (kind == 'k' && !far)) return 1;
            }
            break;
        }
    }
    return 0;
}

static void play(Board *b, Move m) {
    char piece = b->at[m.from], kind = (char)tolower((unsigned char)piece);
    if (kind == 'p' && m.to == b->passant) b->at[m.to + (b->white ? -16 : 16)] = 0;
    if (kind == 'k' && abs(m.to - m.from) == 2) {
        int right = m.to > m.from;
        b->at[(m.from + m.to) / 2] = b->white ? 'R' : 'r';
        b->at[right ? m.from + 3 : m.from - 4] = 0;
    }
    b->passant = kind == 'p' && abs(m.to - m.from) == 32 ? (m.from + m.to) / 2 : -1;
    b->at[m.to] = m.promotion ? (char)(b->white ? toupper((unsigned char)m.promotion) : m.promotion) : piece;
    b->at[m.from] = 0;
    const int squares[] = {7, 0, 119, 112};
    for (int i = 0; i < 4; i++)
        if (m.from == squares[i] || m.to == squares[i]) b->castling &= ~(1 << i);
    if (kind == 'k') b->castling &= b->white ? ~3 : ~12;
    b->white = !b->white;
}

static int add(const Board *b, Move *list, int n, int from, int to) {
    int last = tolower((unsigned char)b->at[from]) == 'p' && (to < 16 || to >= 112);
    for (const char *p = last ? "qrbn" : " "; *p; p++) {
        Board next = *b;
        Move m = {from, to, last ? *p : 0};
        play(&next, m);
        int king = 0;
        while (next.at[king] != (b->white ? 'K' : 'k')) king++;
        if (!attacked(&next, king, next.white)) list[n++] = m;
    }
    return n;
}

static int moves(const Board *b, Move *list) {
    int n = 0;
    for (int s = 0; s < 128; s++) {
        if ((s & 0x88) || !own(b, s)) continue;
        char kind = (char)tolower((unsigned char)b->at[s]);
        if (kind == 'p') {
            int forward = b->white ? 16 : -16;
            if (empty(b, s + forward)) {
                n = add(b, list, n, s, s + forward);
                if (s / 16 == (b->white ? 1 : 6) && empty(b, s + 2 * forward)) n = add(b, list, n, s, s + 2 * forward);
            }
            for (int side = -1; side < 2; side += 2) {
                int to = s + forward + side;
                if (!(to & 0x88) && ((b->at[to] && !own(b, to)) || to == b->passant)) n = add(b, list, n, s, to);
            }
            continue;
        }
        for (int i = 0; i < 8; i++) {
            if ((kind == 'r' && i > 3) || (kind == 'b' && i < 4)) continue;
            int step = kind == 'n' ? KNIGHT[i] : KING[i];
            for (int to = s + step; !(to & 0x88) && !own(b, to); to += step) {
                n = add(b, list, n, s, to);
                if (b->at[to] || kind == 'n' || kind == 'k') break;
            }
        }
        for (int i = 0; kind == 'k' && i < 2; i++) {
            int step = i ? -1 : 1;
            if ((b->castling >> (i + (b->white ? 0 : 2)) & 1) && !b->at[s + step] && !b->at[s + 2 * step] &&
                (!i || !b->at[s - 3]) && !attacked(b, s, !b->white) && !attacked(b, s + step, !b->white))
                n = add(b, list, n, s, s + 2 * step);
        }
    }
    return n;
}

static void set_up(const char *fen) {
    memset(&board, 0, sizeof board);
    int s = 112;
    for (; *fen && *fen != ' '; fen++) {
        if (*fen == '/') s -= 24;
        else if (isdigit((unsigned char)*fen)) s += *fen - '0';
        else board.at[s++] = *fen;
    }
    char color = 'w', rights[8] = "-", passant[4] = "-";
    sscanf(fen, " %c %7s %3s", &color, rights, passant);
    board.white = color == 'w';
    for (int i = 0; i < 4; i++)
        if (strchr(rights, "KQkq"[i])) board.castling |= 1 << i;
    board.passant = passant[0] == '-' ? -1 : (passant[1] - '1') * 16 + passant[0] - 'a';
}

static const char *text(Move m) {
    static char t[6];
    const int letters[] = {'a' + m.from % 16, '1' + m.from / 16, 'a' + m.to % 16, '1' + m.to / 16, m.promotion, 0};
    for (int i = 0; i < 6; i++) t[i] = (char)letters[i];
    return t;
}

static unsigned number(void) {
    unsigned hash = 2166136261u ^ (unsigned)(SEED * 40503);
    for (int s = 0; s < 128; s++) hash = (hash ^ (unsigned char)board.at[s]) * 16777619u;
    return hash ^ hash >> 15;
}

static void position(char *line) {
    char *played = strstr(line, "moves"), *fen = strstr(line, "fen ");
    set_up(fen ? fen + 4 : "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    for (char *word = played ? strtok(played + 5, " ") : NULL; word; word = strtok(NULL, " ")) {
        Move m = {(word[1] - '1') * 16 + word[0] - 'a', (word[3] - '1') * 16 + word[2] - 'a', word[4]};
        play(&board, m);
    }
}

static void go(void) {
    Move list[256];
    int n = moves(&board, list);
    printf("info depth 1 score cp %d nodes %d\n", (int)(number() % 61) - 30, n);
    printf("bestmove %s\n", n ? text(list[number() % (unsigned)n]) : "0000");
}

static void bench(void) {
    unsigned long nodes = 0;
    char start[] = "position startpos";
    position(start);
    for (int ply = 0; ply < 40; ply++) {
        Move list[256];
        int n = moves(&board, list);
        if (!n) break;
        nodes += (unsigned long)n;
        play(&board, list[number() % (unsigned)n]);
    }
    printf("Nodes searched  : %lu\n", nodes);
}

int main(int argc, char **argv) {
    static char line[1 << 16];
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc > 1 && !strcmp(argv[1], "bench")) {
        bench();
        return 0;
    }
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = 0;
        if (!strcmp(line, "uci"))
            printf("id name %s\noption name Hash type spin default 1 min 1 max 64\nuciok\n", NAME);
        else if (!strcmp(line, "isready")) puts("readyok");
        else if (!strncmp(line, "position", 8)) position(line);
        else if (!strncmp(line, "go", 2)) go();
        else if (!strcmp(line, "quit")) break;
    }
    return 0;
}
