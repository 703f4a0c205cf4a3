// `measure-page.cli.ts URL`: prints the scores of a page in Lighthouse, and the audits that it does not pass, as JSON.
import lighthouse from 'lighthouse';
import Trace from 'lighthouse/core/gather/gatherers/trace.js';
import { pageFunctions } from 'lighthouse/core/lib/page-functions.js';
import { openOrdinaryBrowser } from '../operating/browser.js';

/** A score from 0 to 1 for each category. */
export interface PageScores {
  readonly scores: Readonly<Record<string, number>>;
  readonly failed: readonly string[];
}

const CATEGORIES = ['performance', 'accessibility', 'best-practices'];
/** Chromium of `@sparticuz/chromium` ends when it traces this category, of which no score depends. */
const FATAL_CATEGORY = 'blink.webdx_feature_usage';
const traced = Trace.getDefaultTraceCategories().filter((category) => category !== FATAL_CATEGORY);
Trace.getDefaultTraceCategories = () => traced;

/**
 * The middle of 125 to 800, the benchmark indexes that Lighthouse's guide to throttling gives for telephones of the middle class, and
 * the slowdown that Lighthouse sets for a fast desktop.
 */
const TELEPHONE_INDEX = 460;
const MOST_SLOWDOWN = 4;

/** Lighthouse has a puppeteer of its own, whose pages are of another version. */
type LighthousePage = NonNullable<Parameters<typeof lighthouse>[3]>;

const [url = ''] = process.argv.slice(2);
const browser = await openOrdinaryBrowser();
try {
  const page = await browser.newPage();
  // Other suites take time from this one: the slowdown is that between this machine now and the telephone.
  const index = await page.evaluate(pageFunctions.computeBenchmarkIndex);
  const cpuSlowdownMultiplier = Math.min(MOST_SLOWDOWN, Math.max(1, index / TELEPHONE_INDEX));
  const result = await lighthouse(
    url,
    { onlyCategories: CATEGORIES, throttling: { cpuSlowdownMultiplier }, logLevel: 'error' },
    undefined,
    page as unknown as LighthousePage,
  );
  if (result === undefined || result.lhr.runtimeError !== undefined)
    throw new Error(`Lighthouse did not measure ${url}: ${result?.lhr.runtimeError?.message ?? 'no result'}`);
  const { categories, audits } = result.lhr;
  const measured: PageScores = {
    scores: Object.fromEntries(Object.entries(categories).map(([name, { score }]) => [name, score ?? 0])),
    failed: Object.values(audits)
      .filter(({ score }) => score !== null && score < 1)
      .map(({ id, score, displayValue }) => `${id} ${score} ${displayValue ?? ''}`.trim()),
  };
  process.stdout.write(`${JSON.stringify(measured)}\n`);
} finally {
  await browser.close();
}
