/** Search attributes an operator filters by in the Temporal UI. */
export const SEARCH_ATTRIBUTES = {
  launchId: 'LaunchId',
  controller: 'LaunchController',
  stage: 'LaunchStage',
  /** Codes of the findings a launch has, each once. */
  finding: 'LaunchFinding',
  /** Set when a workflow is started. */
  family: 'LaunchFamily',
  submission: 'ModuleSubmissionId',
  author: 'ModuleAuthor',
  reviewState: 'ReviewState',
  /** The review's count of builds. */
  reviewAttempt: 'ReviewAttempt',
  /** Of the workflows that index sources. */
  indexChain: 'IndexChain',
  indexSourceVersion: 'IndexSourceVersion',
  indexState: 'IndexState',
} as const;

/** Attributes that every server has, and no namespace registers. */
export const PREDEFINED_SEARCH_ATTRIBUTES = {
  /** Lists show the workflows of a division only where a query names the attribute. */
  division: 'TemporalNamespaceDivision',
} as const;

export type SearchAttributeName = (typeof SEARCH_ATTRIBUTES)[keyof typeof SEARCH_ATTRIBUTES];
export type SearchAttributeType = 'Keyword' | 'KeywordList' | 'Text' | 'Int' | 'Double' | 'Bool' | 'Datetime';

/** The type each is registered with, by all services and every deployment alike. */
export const SEARCH_ATTRIBUTE_TYPES: Readonly<Record<SearchAttributeName, SearchAttributeType>> = {
  LaunchId: 'Keyword',
  LaunchController: 'Keyword',
  LaunchStage: 'Keyword',
  LaunchFinding: 'KeywordList',
  LaunchFamily: 'Keyword',
  ModuleSubmissionId: 'Keyword',
  ModuleAuthor: 'Keyword',
  ReviewState: 'Keyword',
  ReviewAttempt: 'Int',
  IndexChain: 'Int',
  IndexSourceVersion: 'Keyword',
  IndexState: 'Keyword',
};

/** A query that a namespace answers if it has the attribute, and refuses if not. */
export const searchAttributeProbe = (name: SearchAttributeName): string =>
  SEARCH_ATTRIBUTE_TYPES[name] === 'Int' ? `${name} = -1` : `${name} = 'none'`;

/** How many of a type a namespace on an SQL database takes: Temporal's `Keyword01` to `Keyword10` and so on. */
export const SEARCH_ATTRIBUTE_LIMITS: Readonly<Record<SearchAttributeType, number>> = {
  Keyword: 10,
  KeywordList: 3,
  Text: 3,
  Int: 3,
  Double: 3,
  Bool: 3,
  Datetime: 3,
};
