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
 * The operator's view of one run: its current details, and the queries `timeline` and `findings`. It emits no command,
 * so it does not affect the replay of a history.
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
      description: 'The complete findings of this run: code, place, expected, actual, remediation.',
    });
    this.refresh();
  }

  get stage(): string {
    return this.shownStage;
  }

  /** Returns whether the last attempt of a step failed and it has not succeeded since. */
  get isTroubled(): boolean {
    return this.trouble !== null;
  }

  /** Shows an action while `offer` returns one. */
  offer(offer: () => OperatorAction | null): void {
    this.offers.push(offer);
    this.refresh();
  }

  /** Marks the end of the run, after which it accepts no action. */
  close(): void {
    this.offers.length = 0;
    this.refresh();
  }

  reached(stage: string): void {
    this.shownStage = stage;
    this.refresh();
  }

  /** @param what fixed Markdown text; null when the wait is over. */
  waiting(what: string | null): void {
    this.waitsFor = what;
    this.refresh();
  }

  troubled(trouble: StepTrouble | null): void {
    this.trouble = trouble === null ? null : troubleText(trouble);
    this.refresh();
  }

  /** Records the start of a step, whose input and result may have findings. */
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
