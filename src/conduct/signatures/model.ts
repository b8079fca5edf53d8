import { flag, id, instant, list, maybe, shape, text, whole, withDescription } from '#wire/words'

/** A signature: who signed what, when, and with which meaning (docs/review.md, "Signatures"). */
export const Signature = shape({
  _id: id(),
  trial: id(),
  participant: id(),
  isCasebook: withDescription('Whether all responses that there were then were signed.', flag()),
  meaning: text(1, 200),
  signer: shape({ _id: id(), name: text(0, 200) }),
  signedAt: instant(),
  hash: maybe(withDescription('SHA-256 of exactly what was signed; for those who see all of it.', text(64, 64))),
  valid: withDescription('False once anything it covers was changed, moved or deleted.', flag()),
  responses: withDescription(
    'What it covers, of the responses that are answered.',
    list(shape({ response: id(), hash: maybe(text(64, 64)), valid: flag() }), 1_000_000),
  ),
})

export const Signatures = shape({ signatures: list(Signature, 100_000) })

export const NewSignature = shape({
  participant: id('Whose casebook or responses are signed'),
  responses: maybe(withDescription('Only these; the whole casebook when left out.', list(id(), 10_000, 1))),
  meaning: withDescription('One of the trial’s signatureMeanings, where it has any.', text(1, 200)),
})

/** The most casebooks in a page, and the default, so that few trials need a second page. */
export const PAGE = 10_000

export const CasebookQuery = shape({
  page: maybe(whole(1, 1_000_000)),
  perPage: maybe(whole(1, PAGE)),
})

export const Casebooks = shape({
  casebooks: list(
    shape({
      participant: id(),
      participantId: text(1, 50),
      responseCount: whole(0),
      signedCount: withDescription('Responses for which a signature stands.', whole(0)),
      isComplete: withDescription('Whether there are responses and all of them are signed.', flag()),
    }),
    PAGE,
  ),
  nextPageAvailable: flag(),
})
