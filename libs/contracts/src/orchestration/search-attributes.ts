/** Search attributes an operator filters by in the Temporal UI. */
export const SEARCH_ATTRIBUTES = {
  launchId: 'LaunchId',
  controller: 'LaunchController',
  stage: 'LaunchStage',
  /** Codes of the findings of a launch, each once. */
  finding: 'LaunchFinding',
  /** Set at the start of a workflow. */
  family: 'LaunchFamily',
  submission: 'ModuleSubmissionId',
  author: 'ModuleAuthor',
  reviewState: 'ReviewState',
  /** Number of builds of the review. */
  reviewAttempt: 'ReviewAttempt',
  /** For the workflows that index sources. */
  indexChain: 'IndexChain',
  indexSourceVersion: 'IndexSourceVersion',
  indexState: 'IndexState',
} as const;

/** Attributes that every server has without registration. */
export const PREDEFINED_SEARCH_ATTRIBUTES = {
  /** Lists show the workflows of a division only if the query names this attribute. */
  division: 'TemporalNamespaceDivision',
} as const;

export type SearchAttributeName = (typeof SEARCH_ATTRIBUTES)[keyof typeof SEARCH_ATTRIBUTES];
export type SearchAttributeType = 'Keyword' | 'KeywordList' | 'Text' | 'Int' | 'Double' | 'Bool' | 'Datetime';

/** The type of each attribute, as every service and deployment registers it. */
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

/** The most attributes per type of a namespace on an SQL database: Temporal's `Keyword01` to `Keyword10` and so on. */
export const SEARCH_ATTRIBUTE_LIMITS: Readonly<Record<SearchAttributeType, number>> = {
  Keyword: 10,
  KeywordList: 3,
  Text: 3,
  Int: 3,
  Double: 3,
  Bool: 3,
  Datetime: 3,
};
