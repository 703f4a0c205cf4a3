import type { z } from 'zod';
import {
  configurationFieldSchema,
  configurationSchema,
  type ConfigurationField,
  type ModuleConfiguration,
} from './configuration.schema.js';
import { modulePackageSchema, moduleSubmissionSchema } from './package.schema.js';

/** A list of which each item is null unless its own form is right. */
export type DeclaredList<T> = readonly (T | null)[];

/** An entry of a list of files; a member is null unless its own form is right. */
export interface DeclaredFile {
  readonly path: string | null;
  readonly sha256: string | null;
  /** Always null in `source.files`. */
  readonly contentBase64: string | null;
}

/** A list of files; null if it is no list. */
export interface DeclaredFiles {
  readonly count: number;
  /** The first entries, up to the limit of the deployment: reading them all would cost more than refusing their number. */
  readonly files: readonly DeclaredFile[];
}

/** The typed fields of a configuration and the constraints between them. */
export interface DeclaredConfiguration {
  readonly fields: DeclaredList<ConfigurationField>;
  readonly constraints: DeclaredList<ModuleConfiguration['constraints'][number]>;
}

/** The parts of a descriptor that are judged beyond their form. A part with a wrong form is null and hides no other. */
export interface DeclaredPackage {
  readonly author: string | null;
  readonly rewardWallet: string | null;
  readonly sources: DeclaredFiles | null;
  readonly configuration: DeclaredConfiguration;
  /** The inputs of each action. */
  readonly actionInputs: readonly DeclaredList<ConfigurationField>[];
}

const { author, rewardWallet } = modulePackageSchema.shape;
const { path, sha256, contentBase64 } = moduleSubmissionSchema.shape.files.element.shape;

/** Reads the parts of a descriptor, each separately. */
export function declaredPackage(json: unknown, maxFiles: number): DeclaredPackage {
  const configuration = memberOf(json, 'configuration');
  const actions = memberOf(memberOf(json, 'management'), 'actions');
  return {
    author: partOf(author, memberOf(json, 'author')),
    rewardWallet: partOf(rewardWallet, memberOf(json, 'rewardWallet')),
    sources: declaredFiles(memberOf(memberOf(json, 'source'), 'files'), maxFiles),
    configuration: {
      fields: listOf(configurationFieldSchema, memberOf(configuration, 'fields')),
      constraints: listOf(configurationSchema.shape.constraints.element, memberOf(configuration, 'constraints')),
    },
    actionInputs: itemsOf(actions).map((action) => listOf(configurationFieldSchema, memberOf(action, 'inputs'))),
  };
}

/** Reads the entries of `files` or `source.files`. */
export function declaredFiles(json: unknown, maxFiles: number): DeclaredFiles | null {
  if (!Array.isArray(json)) return null;
  const files = json.slice(0, maxFiles).map((entry: unknown) => ({
    path: partOf(path, memberOf(entry, 'path')),
    sha256: partOf(sha256, memberOf(entry, 'sha256')),
    contentBase64: partOf(contentBase64, memberOf(entry, 'contentBase64')),
  }));
  return { count: json.length, files };
}

/** Returns a member of an object; undefined if there is none. */
export const memberOf = (json: unknown, name: string): unknown =>
  typeof json === 'object' && json !== null && Object.hasOwn(json, name) ? Reflect.get(json, name) : undefined;

const partOf = <T>(schema: z.ZodType<T>, json: unknown): T | null => schema.safeParse(json).data ?? null;

/** No list of fields, constraints or actions may be longer. */
const LONGEST_LIST = 64;
/** The items of a list that cannot be read. */
const UNREADABLE = [null];

const itemsOf = (json: unknown): readonly unknown[] =>
  Array.isArray(json) && json.length <= LONGEST_LIST ? json : UNREADABLE;

const listOf = <T>(schema: z.ZodType<T>, json: unknown): DeclaredList<T> =>
  itemsOf(json).map((item) => partOf(schema, item));
