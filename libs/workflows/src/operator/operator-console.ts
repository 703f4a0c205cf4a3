import { defineQuery, setCurrentDetails, setHandler } from '@temporalio/workflow';
import { OPERATOR_QUERIES, type FindingsView, type StepTimeline } from '@launch/contracts/orchestration';
import { troubleText } from '../steps/patient-steps.js';
import type { StepTrouble } from '../steps/bounded-steps.js';
import { detailsMarkdown, type OperatorAction } from './details.markdown.js';
import { KnownFindings } from './known-findings.js';
import { Timeline, type StepRecord } from './timeline.js';

const timelineQuery = defineQuery<StepTimeline>(OPERATOR_QUERIES.timeline);
const findingsQuery = defineQuery<FindingsView>(OPERATOR_QUERIES.findings);

/**
 * What an operator sees of one run: its current details, and the queries `timeline` and `findings`. It makes no command,
 * so that a history replays with it as without it.
 */
export class OperatorConsole {
  readonly findings = new KnownFindings();
  private readonly timeline = new Timeline(() => Date.now());
  private waitsFor: string | null = null;
  private trouble: string | null = null;
  private readonly offers: (() => OperatorAction | null)[] = [];

  constructor(private shownStage: string) {
    setHandler(timelineQuery, () => this.timeline.view(), {
      description: 'The last steps of this run, with start, end, outcome, attempts and the code of the last failure.',
    });
    setHandler(findingsQuery, () => this.findings.view(this.shownStage), {
      description: 'The findings this run made known, whole: code, place, expected, actual, remediation.',
    });
    this.refresh();
  }

  get stage(): string {
    return this.shownStage;
  }

  /** Whether a step failed last and has not been done since. */
  get isTroubled(): boolean {
    return this.trouble !== null;
  }

  /** Shows an action while `offer` answers one. */
  offer(offer: () => OperatorAction | null): void {
    this.offers.push(offer);
    this.refresh();
  }

  /** The run ends: nothing can be done to it any more. */
  close(): void {
    this.offers.length = 0;
    this.refresh();
  }

  reached(stage: string): void {
    this.shownStage = stage;
    this.refresh();
  }

  /** @param what in Markdown, ours; null when nothing is waited for any more. */
  waiting(what: string | null): void {
    this.waitsFor = what;
    this.refresh();
  }

  troubled(trouble: StepTrouble | null): void {
    this.trouble = trouble === null ? null : troubleText(trouble);
    this.refresh();
  }

  /** A step begins; its input and its answer may carry findings. */
  begin(step: string, input?: unknown): StepRecord {
    const record = this.timeline.begin(step);
    this.findings.takeFrom(input);
    this.refresh();
    return {
      failed: (code) => {
        record.failed(code);
        this.refresh();
      },
      end: (outcome, answer) => {
        record.end(outcome);
        this.findings.takeFrom(answer);
        this.refresh();
      },
    };
  }

  refresh(): void {
    setCurrentDetails(
      detailsMarkdown({
        stage: this.shownStage,
        openSteps: this.timeline.open(),
        waitsFor: this.waitsFor,
        trouble: this.trouble,
        findings: this.findings.all(),
        actions: this.offers.map((offer) => offer()).filter((action) => action !== null),
      }),
    );
  }
}
