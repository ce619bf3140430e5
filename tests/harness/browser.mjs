// Real browsers. Each test gets profiles of its own; every page is watched for what must never
// happen: console errors, uncaught errors, violations of the policy, requests to other hosts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { chrome } from './paths.mjs';

const ARGS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
  '--disable-background-timer-throttling', '--disable-renderer-backgrounding',
  '--disable-backgrounding-occluded-windows', '--force-color-profile=srgb',
];

/** A browser of one profile that outlives being closed. */
export class Profile {
  constructor(test, name, options) {
    this.test = test;
    this.name = name;
    this.options = options;
    this.folder = mkdtempSync(join(tmpdir(), 'zari-profile-'));
    this.pages = [];
  }

  async start() {
    this.context = await chromium.launchPersistentContext(this.folder, {
      executablePath: chrome,
      headless: true,
      args: ARGS,
      viewport: { width: 1000, height: 700 },
      locale: 'en-US',
      reducedMotion: 'reduce',
      acceptDownloads: true,
      ...this.options,
    });
    this.context.setDefaultTimeout(15_000);
    await this.context.addInitScript(watchPolicy);
    for (const script of this.test.initScripts ?? []) await this.context.addInitScript(script);
    return this;
  }

  async page() {
    const fresh = this.context.pages().find((page) => page.url() === 'about:blank');
    const page = fresh ?? (await this.context.newPage());
    if (!this.pages.includes(page)) {
      this.pages.push(page);
      this.watch(page);
    }
    return page;
  }

  watch(page) {
    // Pages of the server that are not the site, opened to be nobody, have no icon.
    const isSite = () => !page.url().endsWith('/health');
    const fault = (text) => isSite() && this.test.fault(`${this.name}: ${text}`);
    page.on('console', (message) => {
      const text = `${message.text()} (${message.location().url}:${message.location().lineNumber})`;
      if (message.type() === 'error') fault(`console error: ${text}`);
      else this.test.note(`${this.name}: ${message.type()}: ${text}`);
    });
    page.on('pageerror', (error) => fault(`uncaught: ${error.stack ?? error.message}`));
    page.on('crash', () => fault('the page crashed'));
    const own = (url) => /^(data|blob|about):/.test(url) || new URL(url).hostname === '127.0.0.1';
    page.on('request', (request) => {
      if (!own(request.url())) fault(`a request to ${request.url()}`);
    });
    page.on('websocket', (socket) => {
      if (!own(socket.url())) fault(`a websocket to ${socket.url()}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) fault(`${response.status()} for ${response.url()}`);
    });
  }

  async close() {
    await this.context?.close();
    this.context = undefined;
    this.pages = [];
  }

  async discard() {
    await this.close().catch(() => {});
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

function watchPolicy() {
  addEventListener('securitypolicyviolation', (event) => {
    console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile ?? ''}`);
  });
}
