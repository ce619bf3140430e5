// Whole games in real browsers: node run.mjs [words of the tests' names]
import { availableParallelism } from 'node:os';
import { runAll } from './harness/runner.mjs';
import './journeys/link.mjs';
import './journeys/local.mjs';
import './journeys/look.mjs';
import './journeys/trouble.mjs';

const jobs = Number(process.env.ZARI_JOBS ?? Math.min(3, availableParallelism()));
process.exitCode = (await runAll(process.argv.slice(2), jobs)) ? 0 : 1;
