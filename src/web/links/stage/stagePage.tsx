/** The page behind a link that opens one form of one participant: `/app/stage/<token>`. */

import { useEffect, useRef, useState } from 'preact/hooks'
import type { SubmissionFeedback } from '#web/form/answers/model'
import type { AnswerOf } from '#web/kit/api/operations'
import { ask, type FailedAnswer } from '#web/kit/api/send'
import { localeOf } from '#web/kit/language/languages'
import { noteAnswerLanguages, studyText } from '#web/kit/language/studyText'
import { Notice, Skeleton } from '#web/kit/ui/components'
import { useSubmission } from '#web/links/answers/useSubmission'
import { useTranslator } from '#web/links/texts'
import { LinkForm } from '../answers/linkForm'
import { Outcome, UrgentMessages } from '../answers/outcome'
import { EndPage, LinkPage, ReadError } from '../frame'

type LinkedStage = AnswerOf<'openStageToken'>

/** Where a form is read and sent. The link of a form that follows a consent says so: its person need not be a participant. */
const pathOf = (token: string): string =>
  token.startsWith('screening-') ? `/screening-links/${token.slice('screening-'.length)}` : `/stage-tokens/${token}`

export function StagePage() {
  const translator = useTranslator()
  const { t, language } = translator
  const [stage, setStage] = useState<LinkedStage>()
  const [failure, setFailure] = useState<FailedAnswer>()
  const [attempt, again] = useState(0)
  /** What the device knew when it was sent. No state: nothing changes on the page before the server has answered. */
  const feedback = useRef<SubmissionFeedback>(undefined)
  const { sent, isKept, refused, progress, send } = useSubmission()
  const path = pathOf(location.pathname.split('/').at(-1) ?? '')
  const isSent = sent !== undefined && sent.kind !== 'refused'
  useEffect(() => {
    if (isSent) return
    setFailure(undefined)
    void ask<LinkedStage>(translator, 'GET', path).then((answer) => {
      if (!answer.isDone) return setFailure(answer)
      noteAnswerLanguages(answer.body)
      setStage(answer.body)
    })
  }, [attempt, language, isSent])

  const overline = stage && t('link.study', { study: stage.trialName })
  if (sent && sent.kind !== 'refused')
    return <Outcome sent={sent} feedback={feedback.current} isKept={isKept} overline={overline} progress={progress} />
  if (!stage) {
    if (failure?.status === 404 && failure.details.code === 'expired')
      return <EndPage icon="warning" title={t('link.expired')} note={t('link.expiredNote')} />
    if (failure) return <ReadError failure={failure} onAgain={() => again(attempt + 1)} />
    return (
      <LinkPage title={t('site.loading')}>
        <Skeleton lines={6} />
      </LinkPage>
    )
  }
  if ((!stage.enabled || stage.refuses || stage.consent) && !refused) return <ClosedStage stage={stage} />
  const { version, opened } = stage
  return (
    <LinkPage title={stage.name} isOfStudy overline={overline}>
      {stage.description && (
        <p class="lead" {...studyText(stage.description)}>
          {stage.description}
        </p>
      )}
      {stage.completed && (
        <Notice kind="info" title={t('stage.again')}>
          {t('stage.againNote')}
        </Notice>
      )}
      {/* What the answers call for does not wait until the server takes them. */}
      {sent && <UrgentMessages messages={feedback.current?.messages ?? []} about={overline} />}
      <LinkForm
        stage={stage}
        sent={sent}
        initialAnswers={refused}
        progress={progress}
        send={(answers, now) => {
          feedback.current = now
          return send(`${path}/responses?${new URLSearchParams({ opened, version })}`, () => answers, answers)
        }}
      />
    </LinkPage>
  )
}

/** A form that cannot be filled in now, and what to do. */
function ClosedStage({ stage: { trialName, enableAt, expired, zone, refuses, consent } }: { stage: LinkedStage }) {
  const { t, language } = useTranslator()
  const overline = t('link.study', { study: trialName })
  if (refuses === 'withdrawn')
    return <EndPage icon="info" title={t('stage.withdrawn')} note={t('stage.withdrawnNote')} overline={overline} />
  if (refuses === 'locked')
    return <EndPage icon="info" title={t('stage.locked')} note={t('stage.lockedNote')} overline={overline} />
  if (consent) {
    const isWithdrawn = consent.status === 'withdrawn'
    const title = t(isWithdrawn ? 'stage.consentWithdrawn' : 'stage.consentNeeded')
    return (
      <EndPage
        icon="info"
        title={title}
        note={t(isWithdrawn ? 'stage.withdrawnNote' : 'stage.consentNeededNote')}
        overline={overline}
      />
    )
  }
  if (expired) return <EndPage icon="info" title={t('stage.closed')} note={t('stage.closedNote')} overline={overline} />
  const moment = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeStyle: 'short', timeZone: zone })
  const note =
    enableAt === null ? t('stage.soonNote') : t('stage.notYetNote', { day: moment.format(new Date(enableAt)) })
  return <EndPage icon="info" title={t('stage.notYet')} note={note} overline={overline} />
}
