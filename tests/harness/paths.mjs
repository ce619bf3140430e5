// Where the built things are: named by cargo xtask, else where cargo and trunk put them.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const target = process.env.CARGO_TARGET_DIR ?? join(root, 'target');

function built(variable, path, how) {
  const found = process.env[variable] ?? path;
  if (!existsSync(found)) throw new Error(`${found} is missing: ${how}`);
  return found;
}

export const dist = built('ZARI_DIST', join(root, 'dist'), 'cargo xtask dist');
export const server =
  built('ZARI_SERVER', join(target, 'debug', 'zari-signaling'), 'cargo build -p signaling');
export const zari = built('ZARI_CLI', join(target, 'debug', 'zari'), 'cargo build -p zari');
export const chrome =
  built('CHROME', '/usr/bin/chromium', 'set CHROME to a Chromium or Chrome');
export const artifacts = join(root, 'tests', '.artifacts');
export const secondVerifier = join(root, 'tests', 'verifier', 'verify.mjs');
