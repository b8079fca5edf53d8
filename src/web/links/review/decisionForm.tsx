/** The decision of an approver. */
import type { Answer } from '#web/kit/api/send'
import { Button, Choice, Field, Notice, refusedField, useForm } from '#web/kit/ui/components'
import { useTranslator } from '#web/links/texts'
import { type Decision, sendDecision } from './review'

type Props = {
  until: string
  onDecided: (decision: Decision) => void
  /** The link is of no use any more: it was used elsewhere at the same time, or the request has ended. */
  onEnded: (failure: Extract<Answer<never>, { isDone: false }>) => void
}

export function DecisionForm({ until, onDecided, onEnded }: Props) {
  const translator = useTranslator()
  const { t, day } = translator
  const { submit, isBusy, faults } = useForm(async ({ decision, comment = '' }) => {
    if (!decision) return refusedField('decision', t('review.choose'))
    if (decision === 'rejected' && !comment.trim()) return refusedField('comment', t('review.needsComment'))
    const answer = await sendDecision(translator, { decision, ...(comment.trim() && { comment: comment.trim() }) })
    if (answer.isDone) onDecided(answer.body.decision)
    else if (answer.status === 404) onEnded(answer)
    return answer
  })
  const at = faults.fields
  return (
    <form class="card" noValidate onSubmit={submit}>
      <Choice
        label={t('review.decide')}
        note={t('review.once', { day: day(until.slice(0, 10)) })}
        name="decision"
        fault={at.decision}
        options={[
          { value: 'approved', label: t('review.approve') },
          { value: 'rejected', label: t('review.reject') },
        ]}
      />
      <Field
        label={t('review.comment')}
        note={t('review.commentNote')}
        name="comment"
        type="lines"
        maxLength={2000}
        fault={at.comment}
        isOptional
      />
      {faults.message && <Notice kind="fault" title={faults.message} isLive />}
      <div class="actions">
        <Button kind="main" type="submit" isBusy={isBusy}>
          {t('review.send')}
        </Button>
      </div>
    </form>
  )
}
