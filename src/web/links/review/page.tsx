/** The page behind the link of an approver: `/app/file-review/<token>`. */
import { useEffect, useState } from 'preact/hooks'
import { localPath } from '#web/kit/api/localPath'
import type { FailedAnswer } from '#web/kit/api/send'
import { Skeleton } from '#web/kit/ui/components'
import { useTranslator } from '#web/links/texts'
import { EndPage, LinkPage, ReadError } from '../frame'
import { DecisionForm } from './decisionForm'
import { Document } from './document'
import { type Decision, type Review, readReview } from './review'

export function ReviewPage() {
  const translator = useTranslator()
  const { t } = translator
  const [review, setReview] = useState<Review>()
  const [failure, setFailure] = useState<FailedAnswer>()
  const [decided, setDecided] = useState<Decision>()
  const [attempt, again] = useState(0)
  useEffect(() => {
    setFailure(undefined)
    void readReview(translator).then((answer) => (answer.isDone ? setReview(answer.body) : setFailure(answer)))
  }, [attempt])

  if (decided) {
    return (
      <EndPage
        icon="success"
        overline={review && t('link.study', { study: review.trialName })}
        title={t(decided === 'approved' ? 'review.youApproved' : 'review.youRejected')}
        note={t('review.recorded')}
      />
    )
  }
  if (failure) return <EndedReview failure={failure} onAgain={() => again(attempt + 1)} />
  if (!review) {
    return (
      <LinkPage title={t('review.title')}>
        <Skeleton lines={6} />
      </LinkPage>
    )
  }
  return (
    <LinkPage title={review.file.name} overline={t('link.study', { study: review.trialName })}>
      <ReviewRequest review={review} />
      <Document url={localPath(review.version.url)} title={review.version.name} />
      <DecisionForm until={review.linksUntil} onDecided={setDecided} onEnded={setFailure} />
      <EarlierVersions review={review} />
    </LinkPage>
  )
}

/** Why the link is of no use any more. */
function EndedReview({ failure, onAgain }: { failure: FailedAnswer; onAgain: () => void }) {
  const { t } = useTranslator()
  const { code, decision } = failure.details
  if (failure.status === 404 && code === 'decided') {
    const title = decision === 'rejected' ? t('review.youRejected') : t('review.youApproved')
    return <EndPage title={title} note={t('review.decidedBeforeNote')} overline={t('review.decidedBefore')} />
  }
  if (failure.status === 404) {
    if (code === 'withdrawn') return <EndPage title={t('review.withdrawn')} note={t('review.withdrawnNote')} />
    if (code === 'stale') return <EndPage title={t('review.stale')} note={t('review.staleNote')} />
    if (code === 'approved' || code === 'rejected')
      return <EndPage title={t('review.over')} note={t('review.overNote')} />
    if (code === 'expired') return <EndPage icon="warning" title={t('link.expired')} note={t('link.expiredNote')} />
  }
  return <ReadError failure={failure} onAgain={onAgain} />
}

/** Who asks, and for what. */
function ReviewRequest({ review: { requestedBy, trialName, role, message, version } }: { review: Review }) {
  const { t, day } = useTranslator()
  const { number, name, size, createdAt, sha256 } = version
  return (
    <>
      <p class="lead">{t('review.lead', { who: requestedBy, study: trialName })}</p>
      {role && <p>{t('review.role', { role })}</p>}
      <section class="card">
        {message && (
          <>
            <h2>{t('review.message')}</h2>
            <p dir="auto" class="after-text">
              {message}
            </p>
          </>
        )}
        <dl class="facts">
          <dt>{t('review.version', { number })}</dt>
          <dd>{t('review.facts', { name, size: sizeText(size), day: day(createdAt.slice(0, 10)) })}</dd>
          <dt>{t('review.hash')}</dt>
          <dd class="hash" dir="ltr">
            {sha256}
          </dd>
        </dl>
      </section>
    </>
  )
}

function EarlierVersions({ review: { earlierVersions } }: { review: Review }) {
  const { t, day } = useTranslator()
  if (!earlierVersions.length) return null
  const names = { draft: t('review.draft'), approved: t('review.approved'), rejected: t('review.rejected') }
  return (
    <section class="card">
      <h2>{t('review.earlier')}</h2>
      <ul>
        {earlierVersions.map(({ number, createdAt, status }) => (
          <li key={number}>
            {t('review.version', { number })} · {day(createdAt.slice(0, 10))} · {names[status]}
          </li>
        ))}
      </ul>
    </section>
  )
}

const sizeText = (bytes: number): string =>
  bytes < 2 ** 20 ? `${Math.max(1, Math.round(bytes / 1024))} kB` : `${Math.round((bytes / 2 ** 20) * 10) / 10} MB`
