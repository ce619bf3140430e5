// Turns trunk's output into the site as it is shipped:
//
//   node xtask/finish.mjs DIST CACHE
//
// 1. wasm-opt -Oz on the wasm, by npm's binaryen (Debian's older one miscompiles without a word);
// 2. small scripts and styles, by esbuild;
// 3. names after the contents as they are now, and index.html after the names;
// 4. the list of files and a version in front of sw.js, as `self.SITE`;
// 5. a .br and a .gz beside everything that compresses.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, extname, join, relative, sep } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import esbuild from "esbuild";

const [dist, cache] = process.argv.slice(2);
if (!dist || !cache) {
  console.error("usage: node finish.mjs DIST CACHE");
  process.exit(2);
}

const binaryen = dirname(createRequire(import.meta.url).resolve("binaryen/package.json"));
const binaryenVersion = JSON.parse(readFileSync(join(binaryen, "package.json"))).version;

// What the compiler already uses by default; nothing that an older browser would not know.
const WASM_OPT = [
  "-Oz",
  "--enable-bulk-memory",
  "--enable-bulk-memory-opt",
  "--enable-multivalue",
  "--enable-mutable-globals",
  "--enable-nontrapping-float-to-int",
  "--enable-reference-types",
  "--enable-call-indirect-overlong",
  "--enable-sign-ext",
  "--strip-debug",
  "--strip-producers",
  "--strip-target-features",
];
const TARGET = ["chrome100", "firefox100", "safari15"];
const COMPRESSED = [".html", ".js", ".css", ".wasm", ".json", ".svg", ".webmanifest", ".txt"];
// trunk writes `name-0123456789abcdef.css`, `…_bg.wasm` and so on.
const HASHED = /^(.+)-[0-9a-f]{8,16}(_bg\.wasm|\.js|\.css)$/;

const files = () =>
  readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
const named = (extension) => files().filter((file) => extname(file) === extension);
const sha256 = (...parts) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
};

// wasm-opt takes half a minute: the same input is not optimised twice.
function optimise(file) {
  const input = readFileSync(file);
  const kept = join(cache, `${sha256(binaryenVersion, WASM_OPT.join(" "), input)}.wasm`);
  if (!existsSync(kept)) {
    const fresh = `${kept}.new`;
    const run = spawnSync(
      process.execPath,
      [join(binaryen, "bin/wasm-opt"), ...WASM_OPT, file, "-o", fresh],
      { stdio: "inherit" },
    );
    if (run.status !== 0) throw new Error(`wasm-opt failed on ${basename(file)}`);
    renameSync(fresh, kept);
  }
  writeFileSync(file, readFileSync(kept));
  return basename(kept);
}

async function minify(file, loader) {
  const { code, warnings } = await esbuild.transform(readFileSync(file, "utf8"), {
    loader,
    minify: true,
    target: TARGET,
    legalComments: "none",
    sourcefile: basename(file),
    // start.js awaits at its top level, which all browsers of the page know.
    supported: { "top-level-await": true },
  });
  for (const { text } of warnings) console.warn(`${basename(file)}: ${text}`);
  writeFileSync(file, code);
}

// Names that carry trunk's hash get the hash of what they hold now.
function rename(extension, users) {
  for (const file of named(extension)) {
    const parts = HASHED.exec(basename(file));
    if (!parts) continue;
    const name = `${parts[1]}-${sha256(readFileSync(file)).slice(0, 16)}${parts[2]}`;
    renameSync(file, join(dirname(file), name));
    for (const user of users()) {
      const text = readFileSync(user, "utf8");
      if (text.includes(basename(file))) {
        writeFileSync(user, text.replaceAll(basename(file), name));
      }
    }
  }
}

mkdirSync(cache, { recursive: true });
for (const file of files()) {
  if ([".br", ".gz"].includes(extname(file))) rmSync(file);
}

const used = named(".wasm").map(optimise);
for (const old of readdirSync(cache)) {
  if (!used.includes(old)) rmSync(join(cache, old));
}
for (const file of named(".css")) await minify(file, "css");
for (const file of named(".js")) await minify(file, "js");
for (const file of named(".html")) {
  const text = readFileSync(file, "utf8").replace(/<!--.*?-->/gs, "").replace(/\n\s*/g, "\n");
  writeFileSync(file, `${text.trim()}\n`);
}

rename(".wasm", () => [...named(".html"), ...named(".js")]);
rename(".css", () => [...named(".html"), ...named(".js")]);
rename(".js", () => named(".html"));

// The worker must change whenever any file changes, or an old page would live on in its cache.
const worker = join(dist, "sw.js");
if (existsSync(worker)) {
  const kept = files().filter((file) => file !== worker);
  const names = kept.map((file) => relative(dist, file).split(sep).join("/"));
  const contents = kept.map((file) => sha256(readFileSync(file)));
  const version = sha256(...names, ...contents, readFileSync(worker)).slice(0, 16);
  const site = `self.SITE=${JSON.stringify({ version, files: names })};\n`;
  writeFileSync(worker, site + readFileSync(worker, "utf8"));
}

for (const file of files().filter((file) => COMPRESSED.includes(extname(file)))) {
  const whole = readFileSync(file);
  const br = brotliCompressSync(whole, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: 22,
      [constants.BROTLI_PARAM_SIZE_HINT]: whole.length,
    },
  });
  const gz = gzipSync(whole, { level: 9 });
  if (br.length < whole.length) writeFileSync(`${file}.br`, br);
  if (gz.length < whole.length) writeFileSync(`${file}.gz`, gz);
}
