import {
  type Code,
  coded,
  type ParamsAfter,
  placedText,
  type Reason,
  reason,
  reasonWith,
} from '#kernel/refusals/reason'
import type { Noun } from './nouns'

/** The body of an error response (docs/contract.md, "Errors"). */
export type ProblemBody = {
  message: string
  details?: Record<string, unknown>
  validations?: Record<string, Record<string, string[]>>
  'Allowed limit'?: string
}

/** The problems of each field, as a 422 response lists them. */
export type FieldProblems = Record<string, Reason[]>

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

/** The first problem at each place: that of a field, or of a place inside it. A field may be called `__proto__`. */
function placesOf(fields: FieldProblems): Record<string, Reason> {
  const places: Record<string, Reason> = Object.create(null)
  for (const field in fields) {
    for (const problem of fields[field]!) {
      places[problem.at === undefined ? field : `${field}.${problem.at}`] ??= problem
    }
  }
  return places
}

const mapped = <In, Out>(record: Readonly<Record<string, In>>, to: (value: In) => Out): Record<string, Out> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value)]))

type Details = Readonly<Record<string, unknown>>

/**
 * The body of a refusal. Its details are the code, its parameters, and what programs need besides. A code among these is for programs
 * that must tell cases apart; `sentence` is then the code of the message.
 */
function bodyOf(why: Reason, details: Details | undefined): ProblemBody {
  const topic = details && Object.keys(details).find((key) => Object.hasOwn(manualPages, key))
  const own = coded(why)
  const sentence = details?.code === undefined ? {} : { sentence: own }
  return {
    message: why.text,
    details: { ...own, ...sentence, ...details, ...(topic && { manual: manualPages[topic] }) },
  }
}

const refusal = (status: number, why: Reason, details?: Details): Problem => new Problem(status, bodyOf(why, details))
const wrongSecret = (status: number, why: Reason, details?: Details): Problem =>
  new Problem(status, bodyOf(why, details), {}, true)

type ByCode = {
  <C extends Code>(code: C, ...given: [...ParamsAfter[C], details?: Details]): Problem
  (why: Reason, details?: Details): Problem
}

/** A refusal with this status, by its code, or for the reason that a rule gave. */
const by =
  (status: number, make = refusal): ByCode =>
  (code: string | Reason, params?: Details, details?: Details): Problem =>
    typeof code === 'object' ? make(status, code, params) : make(status, reasonWith(code, params), details)

/** A duration as a person reads it: seconds up to a minute, then minutes, rounded up. */
const durationOf = (seconds: number): Reason =>
  seconds <= 60 ? reason('seconds', { count: seconds }) : reason('minutes', { count: Math.ceil(seconds / 60) })

/** A refusal (429) of what can be tried again. @param limit in words; @param retryAfter in seconds */
function limited(why: Reason, limit: string, retryAfter: number): Problem {
  const body = { ...bodyOf(why, undefined), 'Allowed limit': limit }
  return new Problem(429, body, { 'Retry-After': String(retryAfter) })
}

/**
 * The kinds of refusal; no feature writes a status code. Each has a code with its sentence in the catalogue (`refusals/`), which the
 * body carries as `message`, `details.code` and `details.params`. See docs/contract.md, "Errors".
 */
export const refuse = {
  /** Something in the request cannot be done. @param details for programs, besides the code and its parameters */
  bad: by(400),
  forbidden: by(403),
  /** Something is not as the sender believes. @param details how it is */
  conflict: by(409),
  unavailable: by(503),
  unauthenticated: by(401),
  /** A staff or participant sign-in that failed. The text is the same for every reason, so that the response does not reveal the reason. */
  signIn: by(401, wrongSecret),
  /** A wrong password or code of a person who is signed in. */
  wrongProof: by(400, wrongSecret),
  missingPermission: (needs: readonly string[]) => refusal(403, reason('permission', { needs }), { needs }),
  reauth: () => refusal(403, reason('reauth'), { manual: '/manual/review#fresh-confirmation' }),
  feature: (feature: string) => refusal(403, reason('featureOff', { feature }), { feature }),
  configurationLocked: () => refusal(403, reason('configurationLocked'), { manual: '/manual/review#locks' }),
  databaseLocked: () => refusal(403, reason('databaseLocked'), { manual: '/manual/review#locks' }),
  missing: (noun: Noun) => refusal(404, reason('notFound', { noun })),
  /** @param methods that the path takes; none if no operation has this path */
  unknownOperation(method: string, methods: readonly string[]): Problem {
    if (!methods.length) return refusal(404, reason('unknownPath'))
    const why = reason('unknownMethod', { method: method.slice(0, 20), methods })
    return new Problem(404, bodyOf(why, undefined), { Allow: methods.join(', ') })
  },
  /**
   * A link that was used, has ended or never existed. One text for all three cases, so that an attacker learns nothing by trying.
   * @param details why, for the holder of a link that existed: its token proves that nobody guessed it
   */
  linkEnded: (details?: { code: string } & Details) => wrongSecret(404, reason('linkEnded'), details),
  /** A link that will be valid. @param from when, in words; @param validFrom the same moment for programs */
  linkNotYetValid: (from: Reason, validFrom: string) => refusal(403, reason('notYet', { from }), { validFrom }),
  taken: (noun: Noun, value: string) => refusal(400, reason('taken', { noun, value })),
  /** For a deletion: others, named in `by`, still refer to the thing. */
  stillInUse: (name: string, by: readonly string[]) =>
    refusal(400, reason('needed', { name, by: by.map((name) => reason('quoted', { name })) })),
  /** For an entry of a participant whose id is known, and whose first answer is not kept any more. */
  repeatedEntry: () => refusal(400, reason('repeatedEntry')),
  /** For a request that was performed, and whose content was erased since: it is not performed again. */
  erased: () => refusal(410, reason('erased')),
  tooLarge: (limit: string) => refusal(413, reason('tooLarge', { limit })),
  /** @param paths the first problem at each path, such as `groups.0`; without it, those of the fields */
  invalid(
    fields: FieldProblems,
    where: 'json' | 'query' = 'json',
    paths?: Readonly<Record<string, Reason>>,
    details?: Details,
  ): Problem {
    const texts = mapped(fields, (problems) => problems.map(placedText))
    const first = Object.entries(texts).slice(0, 3)
    const places = paths ?? placesOf(fields)
    const problems = first.map(([field, [text]]) => (field === '_schema' ? text : `${field}: ${text}`)).join(' ')
    const { code, text: message } = reason('invalid', { problems })
    const about = {
      code,
      fields: mapped(places, ({ text }) => text),
      problems: mapped(places, coded),
      ...(details?.code === undefined ? {} : { sentence: { code } }),
      ...details,
    }
    return new Problem(422, { message, details: about, validations: { [where]: texts } })
  },
  /** @param most requests in a minute; @param retryAfter seconds until the next minute begins */
  tooMany(most: number, retryAfter: number): Problem {
    const limit = reason('perMinute', { most })
    return limited(reason('tooMany', { limit, seconds: retryAfter }), limit.text, retryAfter)
  },
  /** @param limit such as "20 open uploads"; @param retryAfter seconds until it can be tried again */
  tooManyOpen: (limit: Reason, retryAfter: number) =>
    limited(reason('tooManyOpen', { limit, wait: durationOf(retryAfter) }), limit.text, retryAfter),
  /**
   * After too many wrong secrets. The text is the same whether the account exists or not.
   * @param limit such as "1 per 4 minutes"; @param retryAfter seconds until the next attempt is possible
   */
  lockedOut: (limit: string, retryAfter: number) =>
    limited(reason('lockedOut', { wait: durationOf(retryAfter) }), limit, retryAfter),
  /** For writes while the clock is behind what was written last; see docs/running.md, "The clock". */
  clockBehind: (state: Reason) => refusal(503, reason('clock', { state }), { manual: '/manual/running#the-clock' }),
  /** The rest are errors of the server and its machine. */
  diskFull: () => refusal(507, reason('diskFull')),
  unusableDisk: () => refusal(503, reason('diskUnusable')),
  defect: () => refusal(500, reason('defect')),
}

/** Returns the row. @throws 404 for the noun if there is no row */
export function found<T>(row: T | undefined | null, noun: Noun): T {
  if (row === undefined || row === null) throw refuse.missing(noun)
  return row
}
