/** The body of an error response (docs/contract.md, "Errors"). */
export type ProblemBody = {
  message: string
  details?: Record<string, unknown>
  validations?: Record<string, Record<string, string[]>>
  'Allowed limit'?: string
}

/** Problems by field, as a 422 response lists them. */
export type FieldProblems = Record<string, string[]>

/** A refusal with its HTTP status. The only class of the project: every refusal is one. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly body: ProblemBody,
    readonly headers: Record<string, string> = {},
    /** Whether a secret that the caller sent was wrong: such refusals are counted (docs/contract.md, "Limits"). */
    readonly isWrongSecret = false,
  ) {
    super(body.message)
  }
}

/** The page of the manual that explains a refusal, by a field of its details. The refusal has it as `details.manual`. */
const manualPages: Record<string, string> = {
  needs: '/manual/permissions#if-a-permission-is-missing',
  feature: '/manual/permissions#if-a-feature-is-off',
  eConsentRequired: '/manual/participants#first-sign-in-with-econsent',
  room: '/manual/participants#the-limit-of-a-team',
}

/**
 * The first problem at each place: a text that begins with the place in a list, such as `0.id: …`, is about that place. A field
 * may be called `__proto__`.
 */
function placesOf(fields: FieldProblems): Record<string, string> {
  const places: Record<string, string> = Object.create(null)
  for (const field in fields) {
    for (const text of fields[field]!) {
      const [, inner, problem] = /^(\d+(?:\.\w+)*): (.*)$/s.exec(text) ?? []
      places[inner === undefined ? field : `${field}.${inner}`] ??= problem ?? text
    }
  }
  return places
}

function problem(status: number, message: string, details?: Record<string, unknown>): Problem {
  if (!details) return new Problem(status, { message })
  const topic = Object.keys(details).find((key) => Object.hasOwn(manualPages, key))
  return new Problem(status, { message, details: topic ? { ...details, manual: manualPages[topic] } : details })
}

/** A duration as a person reads it: seconds up to a minute, then minutes, rounded up. */
const durationText = (seconds: number): string => {
  const [count, unit] = seconds <= 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** The catalogue of refusals; no feature writes a status code. See docs/contract.md, "Errors". */
export const refuse = {
  unauthenticated: (message = 'This needs a valid API key, session or participant token.') => problem(401, message),
  /** A staff or participant sign-in that failed. The text is the same for every reason, so that nobody can guess the reason. */
  signIn: (message: string) => new Problem(401, { message }, {}, true),
  /** A wrong password or code of a person who is signed in. */
  wrongProof: (message: string) => new Problem(400, { message }, {}, true),
  forbidden: (message: string, details?: Record<string, unknown>) => problem(403, message, details),
  lacking: (needs: readonly string[]) =>
    problem(403, `You do not have the permission this needs: ${needs.join(' or ')}.`, { needs }),
  reauth: () =>
    problem(403, 'Confirm your identity in the web app first: this cannot be done with an API key.', {
      code: 'reauth',
      manual: '/manual/review#fresh-confirmation',
    }),
  feature: (feature: string) => problem(403, `The feature "${feature}" is switched off for this team.`, { feature }),
  configurationLocked: () =>
    problem(403, 'The trial is locked: its configuration cannot be changed.', { manual: '/manual/review#locks' }),
  databaseLocked: () =>
    problem(403, 'The database is locked: study data and participants cannot be changed.', {
      code: 'databaseLocked',
      manual: '/manual/review#locks',
    }),
  missing: (noun: string) => problem(404, `There is no such ${noun}, or you cannot see it.`),
  /** @param methods that the path takes; none if no operation has this path */
  unknownOperation: (method: string, methods: readonly string[]) =>
    methods.length
      ? new Problem(
          404,
          { message: `There is no ${method.slice(0, 20)} at this path: it takes ${methods.join(' and ')}.` },
          { Allow: methods.join(', ') },
        )
      : problem(
          404,
          'No operation has this path. The operations are listed at /docs, and for programs at /openapi.json.',
        ),
  /**
   * A link that was used, has ended or never existed. One text for all three, so that nobody learns anything by trying.
   * @param details why, for the holder of a link that existed: its token proves that nobody guessed it
   */
  ended: (details?: { code: string } & Record<string, unknown>) =>
    new Problem(
      404,
      {
        message: 'This link was used already, has ended or never existed. Ask for a new one.',
        ...(details && { details }),
      },
      {},
      true,
    ),
  /** Something is not as the sender believes. @param details how it is */
  conflict: (message: string, details: Record<string, unknown>) => problem(409, message, details),
  /** A link that will be valid. @param from when, in words; @param validFrom the same moment for programs */
  notYet: (from: string, validFrom: string) =>
    problem(403, `This link is not valid yet: it can be used from ${from} on.`, { code: 'notYet', validFrom }),
  taken: (noun: string, value: string) => problem(400, `The ${noun} "${value}" is already in use.`),
  /** For a deletion: others, named in `by`, still refer to the thing. */
  needed: (name: string, by: readonly string[]) =>
    problem(400, `“${name}” cannot be deleted: it is needed by ${by.map((each) => `“${each}”`).join(', ')}.`),
  /** For an entry of a participant whose id is known, and whose first answer is not kept any more. */
  repeatedEntry: () =>
    problem(
      400,
      'The study has received this entry already, and nothing of it was stored twice. Look at the form to see what is stored.',
      { code: 'repeatedEntry' },
    ),
  /** For a request that was performed, and whose content was erased since: it is not performed again. */
  erased: () => problem(410, 'This was done before, and what it held was erased since. It is not done again.'),
  bad: (message: string, details?: Record<string, unknown>) => problem(400, message, details),
  tooLarge: (limit: string) => problem(413, `The request is larger than ${limit}.`),
  /** @param paths the first problem at each path, such as `groups.0`; without it, those of the fields */
  invalid: (
    fields: FieldProblems,
    where: 'json' | 'query' = 'json',
    paths?: Readonly<Record<string, string>>,
    details?: Readonly<Record<string, unknown>>,
  ) =>
    new Problem(422, {
      message: `The request is not valid: ${Object.entries(fields)
        .slice(0, 3)
        .map(([field, problems]) => (field === '_schema' ? problems[0] : `${field}: ${problems[0]}`))
        .join(' ')}`,
      details: { fields: paths ?? placesOf(fields), ...details },
      validations: { [where]: fields },
    }),
  /** @param limit such as "10 per 1 minute"; @param retryAfter seconds until the next minute begins */
  tooMany: (limit: string, retryAfter: number) =>
    new Problem(
      429,
      { message: `Too many requests: ${limit} are allowed. Try again in ${retryAfter} s.`, 'Allowed limit': limit },
      { 'Retry-After': String(retryAfter) },
    ),
  /** @param limit such as "20 open uploads"; @param retryAfter seconds until it can be tried again */
  tooManyOpen: (limit: string, retryAfter: number) =>
    new Problem(
      429,
      {
        message: `At most ${limit} are allowed. Finish some of them, or try again in ${durationText(retryAfter)}.`,
        'Allowed limit': limit,
      },
      { 'Retry-After': String(retryAfter) },
    ),
  /**
   * After too many wrong secrets. The text is the same whether the account exists or not.
   * @param limit such as "1 per 4 minutes"; @param retryAfter seconds until the next attempt is possible
   */
  lockedOut: (limit: string, retryAfter: number) =>
    new Problem(
      429,
      { message: `Too many failed attempts. Try again in ${durationText(retryAfter)}.`, 'Allowed limit': limit },
      { 'Retry-After': String(retryAfter) },
    ),
  unavailable: (message: string) => problem(503, message),
  /** For writes while the clock is behind what was written last; see docs/running.md, "The clock". */
  clockBehind: (message: string) =>
    problem(503, `${message} Nothing is written until the clock is right.`, {
      code: 'clock',
      manual: '/manual/running#the-clock',
    }),
  /** The rest are errors of the server and its machine. */
  diskFull: () =>
    problem(507, 'The disk of the server is full: nothing was changed. Try again when its operator has made room.'),
  unusableDisk: () =>
    problem(
      503,
      'The server cannot use its data directory: nothing was changed. Its operator finds the reason in the log.',
    ),
  defect: () => problem(500, 'Something went wrong in the service; nothing was changed.'),
}

/** Returns the row. @throws 404 for the noun if there is no row */
export function found<T>(row: T | undefined | null, noun: string): T {
  if (row === undefined || row === null) throw refuse.missing(noun)
  return row
}
