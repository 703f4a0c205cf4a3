import type { CustomLaunchContext } from '@launch/contracts';
import { readCustomLaunchForm } from '../../core/launches/custom-launch/custom-launch.form.js';
import { readModuleForm } from '../../products/module-submissions/domain/module-form.js';
import type { IntakeLimits } from '../../products/module-submissions/domain/module-intake.js';
import { readPlanForm } from '../../products/plans/domain/plan-form.js';
import { readReviewedFiles } from '../../products/reviewer/domain/reviewed-module.js';
import { readRequestForm } from '../../products/multi-role/domain/request-form.js';

/**
 * How requests of each family are read. A body that names its context by hash alone is read beside the one that this
 * deployment publishes; null for bodies that carry it. A module is read beside the limits of its deployment.
 */
const FORMS = {
  'multi-role.v2': (bytes: Uint8Array, _context: null) => readRequestForm(bytes),
  'custom-launch.v4': (bytes: Uint8Array, context: CustomLaunchContext) => readCustomLaunchForm(bytes, context),
  'plan.v1': (bytes: Uint8Array, context: CustomLaunchContext) => readPlanForm(bytes, context),
  'module-review': (bytes: Uint8Array, _beside: null) => readReviewedFiles(bytes),
  'module.v0.1': (bytes: Uint8Array, limits: IntakeLimits) => readModuleForm(bytes, limits),
} as const satisfies Readonly<Record<string, (bytes: Uint8Array, context: never) => unknown>>;

/** A family whose requests can be read. */
export type ReadableFamily = keyof typeof FORMS;
/** What reading a request of a family says: plain data, so that it can be worked out in another thread. */
export type FormOf<Family extends ReadableFamily> = ReturnType<(typeof FORMS)[Family]>;
/** What it is read beside. */
export type BesideOf<Family extends ReadableFamily> = Parameters<(typeof FORMS)[Family]>[1];

/** @throws ApiError for bytes (400) and schema (422) */
export function readForm<Family extends ReadableFamily>(
  family: Family,
  bytes: Uint8Array,
  context: BesideOf<Family>,
): FormOf<Family> {
  // The table pairs what no type can: a family with its own context and form.
  const read = FORMS[family] as unknown as (bytes: Uint8Array, context: BesideOf<Family>) => FormOf<Family>;
  return read(bytes, context);
}

/** Memory that a form alone holds, so that it can go to another thread without a copy: that of a module's files. */
export const memoryOf = (form: FormOf<ReadableFamily>): readonly ArrayBuffer[] =>
  'draft' in form && form.draft !== null ? form.draft.files.map(({ bytes }) => bytes.buffer) : [];
