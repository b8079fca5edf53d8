import { StageDetail } from '#conduct/responses/stageDetail'
import { instant, joinShapes, maybe, oneOf, orNull, shape, text, whole, withDescription } from '#wire/schema'

/** See docs/participants.md, "Links". */
export const StageTokenRequest = shape('StageTokenRequest', {
  recurrence: maybe(withDescription('Which occurrence it opens; required if there are several', orNull(whole(0)))),
  expiresInDays: maybe(withDescription('Days it is valid; the default is 7', whole(1, 365))),
})

export const StageToken = shape('StageToken', { token: text(43, 43), url: text(1, 1000), expiresAt: instant() })

/** The stage that a link opens, with the name of the study. */
export const OpenedStage = joinShapes(
  'OpenedStage',
  StageDetail,
  shape({
    trialName: text(0, 500),
    refuses: withDescription(
      'Why nothing is taken now, also where the form is open: the person has withdrawn, or the database is locked; else null.',
      orNull(oneOf('withdrawn', 'locked')),
    ),
  }),
)

/** Why no answers are taken from this person now, whatever the form. */
export const refusalOf = (
  trial: { isDatabaseLocked: boolean },
  participant: { isWithdrawn: boolean } | undefined,
): 'withdrawn' | 'locked' | null => (participant?.isWithdrawn ? 'withdrawn' : trial.isDatabaseLocked ? 'locked' : null)
