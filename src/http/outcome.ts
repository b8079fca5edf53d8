/** Refusals of the part of the API that speaks FHIR, as the resource OperationOutcome (docs/fhir.md, "Errors"). */
import type { ProblemBody } from '#kernel/problem'

export const FHIR_JSON = 'application/fhir+json'

/** The headers of an answer in FHIR. */
export const FHIR_HEADERS = { 'Content-Type': FHIR_JSON }

/** Whether a URL belongs to this part, also if no operation has its path. */
export const isFhirUrl = (url: string): boolean => /^[^/]+\/\/[^/]*\/trials\/[^/]+\/fhir(\/|\?|$)/.test(url)

/** The codes of the value set `issue-type`, by HTTP status. */
const CODES: Readonly<Record<number, string>> = {
  400: 'processing',
  401: 'login',
  403: 'forbidden',
  404: 'not-found',
  422: 'invalid',
  429: 'throttled',
  503: 'transient',
  507: 'no-store',
}

/** A refusal as an OperationOutcome: an issue for each faulty parameter, else one. */
export function outcomeOf(status: number, { message, validations }: ProblemBody) {
  const code = CODES[status] ?? 'exception'
  const faults = Object.values(validations ?? {}).flatMap((fields) =>
    Object.entries(fields).flatMap(([field, problems]) => problems.map((problem) => `${field}: ${problem}`)),
  )
  return {
    resourceType: 'OperationOutcome',
    issue: (faults.length ? faults : [message]).map((diagnostics) => ({ severity: 'error', code, diagnostics })),
  }
}
