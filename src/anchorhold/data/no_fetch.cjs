// Loaded by Node.js before Stockfish.js 15 (--require). Where fetch exists, that program tries to fetch its own
// WebAssembly file from a path on disk and dies; without fetch it reads the file.
delete globalThis.fetch;
