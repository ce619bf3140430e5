// The real signaling server, and a plain static host that knows nothing of the page.
import { spawn } from 'node:child_process';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { dist, server } from './paths.mjs';

/** The signaling server, which also serves the site: `{url, port, stop, kill}`. */
export async function signalingServer({ base = '/', port = 0, site = dist } = {}) {
  const child = spawn(
    server,
    ['--listen', `127.0.0.1:${port}`, '--site', site, '--base', base, '--messages-per-second', '200'],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let said = '';
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const address = await new Promise((resolve, reject) => {
    child.stderr.on('data', (data) => { said += data; });
    child.stdout.on('data', (data) => {
      said += data;
      const found = /listening on \S+:(\d+)/.exec(said);
      if (found) resolve(Number(found[1]));
    });
    child.once('exit', (code) => reject(new Error(`the server left with ${code}: ${said}`)));
  });
  const end = async (signal) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await ended;
  };
  return {
    port: address,
    url: `http://127.0.0.1:${address}${base}`,
    signal: `ws://127.0.0.1:${address}`,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

const TYPES = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.mjs': 'text/javascript',
  '.css': 'text/css', '.wasm': 'application/wasm', '.json': 'application/json',
  '.svg': 'image/svg+xml', '.png': 'image/png', '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json', '.txt': 'text/plain',
};

/** A host of files below `base` and of nothing else. */
export async function staticHost(base) {
  const host = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://host').pathname);
    const inside = path.startsWith(base) ? normalize(path.slice(base.length - 1)) : null;
    const file = inside === null || inside.includes('..') ? '' : join(dist, inside === '/' ? 'index.html' : inside);
    if (!file || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404, { 'content-type': 'text/plain' });
      response.end('no such file');
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => host.listen(0, '127.0.0.1', resolve));
  const { port } = host.address();
  return {
    port,
    url: `http://127.0.0.1:${port}${base}`,
    stop: () => new Promise((resolve) => {
      host.close(resolve);
      host.closeAllConnections();
    }),
  };
}
