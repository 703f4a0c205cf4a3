/**
 * A member of a response that the request determines, or another member of the same response. A program refuses a response
 * with another value there.
 */
export interface BoundMember<Response, Subject = undefined> {
  /** JSON Pointer of the member; `*` is every item of a list. */
  readonly path: string;
  /** The value that the member must have, as the reference states it. */
  readonly is: string;
  /** Returns the JSON Pointers at which the response has another value. */
  readonly faultsIn: (response: Response, subject: Subject) => readonly string[];
}

/** A value that the program may not know: a member is not compared with `undefined`. */
type Known<Value> = Value | undefined;

/** Binds a member to one value. @param expected returns `undefined` where the program does not know the value. */
export const equal = <Response, Subject>(
  path: string,
  is: string,
  actual: (response: Response) => unknown,
  expected: (subject: Subject, response: Response) => Known<unknown>,
): BoundMember<Response, Subject> =>
  holds(path, is, (response, subject) => {
    const value = expected(subject, response);
    return value === undefined || actual(response) === value;
  });

/** Binds a member by a condition. */
export const holds = <Response, Subject>(
  path: string,
  is: string,
  condition: (response: Response, subject: Subject) => boolean,
): BoundMember<Response, Subject> => ({
  path,
  is,
  faultsIn: (response, subject) => (condition(response, subject) ? [] : [path]),
});

/** Binds a member of every item of a list by a condition. @param path has one `*`, in the place of the item. */
export const everyItem = <Response, Subject, Item>(
  path: string,
  is: string,
  items: (response: Response) => readonly Item[],
  condition: (item: Item, index: number, response: Response, subject: Subject) => boolean,
): BoundMember<Response, Subject> => ({
  path,
  is,
  faultsIn: (response, subject) =>
    items(response).flatMap((item, index) =>
      condition(item, index, response, subject) ? [] : [path.replace('*', String(index))],
    ),
});

/** Moves the members of a part to its place in a response. A part that is null has no members. */
export const within = <Response, Subject, Part, PartSubject>(
  prefix: string,
  part: (response: Response) => Part | null,
  subjectOf: (subject: Subject, response: Response) => PartSubject,
  members: readonly BoundMember<Part, PartSubject>[],
): readonly BoundMember<Response, Subject>[] =>
  members.map(({ path, is, faultsIn }) => ({
    path: `${prefix}${path}`,
    is,
    faultsIn: (response, subject) => {
      const value = part(response);
      return value === null ? [] : faultsIn(value, subjectOf(subject, response)).map((fault) => `${prefix}${fault}`);
    },
  }));

/** Moves the members of an item to every item of a list. */
export const withinEvery = <Response, Subject, Item, ItemSubject>(
  prefix: string,
  items: (response: Response) => readonly Item[],
  subjectOf: (subject: Subject, response: Response) => ItemSubject,
  members: readonly BoundMember<Item, ItemSubject>[],
): readonly BoundMember<Response, Subject>[] =>
  members.map(({ path, is, faultsIn }) => ({
    path: `${prefix}/*${path}`,
    is,
    faultsIn: (response, subject) =>
      items(response).flatMap((item, index) =>
        faultsIn(item, subjectOf(subject, response)).map((fault) => `${prefix}/${index}${fault}`),
      ),
  }));

/** Returns the JSON Pointers of all members with another value than they must have; empty for a response to its request. */
export const faultsOf = <Response, Subject>(
  members: readonly BoundMember<Response, Subject>[],
  response: Response,
  subject: Subject,
): readonly string[] => members.flatMap(({ faultsIn }) => faultsIn(response, subject));
