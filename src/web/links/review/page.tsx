/** The page behind the link of an approver: `/app/file-review/<token>`. */
import { useEffect, useState } from 'preact/hooks'
import type { Answer } from '#web/common/api'
import { Skeleton } from '#web/ui/components'
import { EndPage, LinkPage, NotRead } from '../frame'
import { useSpeaker } from '../speaking'
import { Decide } from './decide'
import { Document } from './document'
import { type Decision, here, type Review, readReview } from './review'

type Refused = Extract<Answer<never>, { isDone: false }>

export function ReviewPage() {
  const speaker = useSpeaker()
  const { say } = speaker
  const [review, setReview] = useState<Review>()
  const [failure, setFailure] = useState<Refused>()
  const [decided, setDecided] = useState<Decision>()
  const [attempt, again] = useState(0)
  useEffect(() => {
    setFailure(undefined)
    void readReview(speaker).then((answer) => (answer.isDone ? setReview(answer.body) : setFailure(answer)))
  }, [attempt])

  if (decided) {
    return (
      <EndPage
        icon="success"
        over={review && say('link.study', { study: review.trialName })}
        title={say(decided === 'approved' ? 'review.youApproved' : 'review.youRejected')}
        note={say('review.recorded')}
      />
    )
  }
  if (failure) return <Ended failure={failure} onAgain={() => again(attempt + 1)} />
  if (!review) {
    return (
      <LinkPage title={say('review.title')}>
        <Skeleton lines={6} />
      </LinkPage>
    )
  }
  return (
    <LinkPage title={review.file.name} over={say('link.study', { study: review.trialName })}>
      <Asked review={review} />
      <Document url={here(review.version.url)} title={review.version.name} />
      <Decide until={review.linksUntil} onDecided={setDecided} onEnded={setFailure} />
      <Earlier review={review} />
    </LinkPage>
  )
}

/** Why the link is of no use any more. */
function Ended({ failure, onAgain }: { failure: Refused; onAgain: () => void }) {
  const { say } = useSpeaker()
  const { code, decision } = failure.details
  if (failure.status === 404 && code === 'decided') {
    const title = decision === 'rejected' ? say('review.youRejected') : say('review.youApproved')
    return <EndPage title={title} note={say('review.decidedBeforeNote')} over={say('review.decidedBefore')} />
  }
  if (failure.status === 404) {
    if (code === 'withdrawn') return <EndPage title={say('review.withdrawn')} note={say('review.withdrawnNote')} />
    if (code === 'stale') return <EndPage title={say('review.stale')} note={say('review.staleNote')} />
    if (code === 'approved' || code === 'rejected')
      return <EndPage title={say('review.over')} note={say('review.overNote')} />
    if (code === 'expired') return <EndPage icon="warning" title={say('link.expired')} note={say('link.expiredNote')} />
  }
  return <NotRead failure={failure} onAgain={onAgain} />
}

/** Who asks, and for what. */
function Asked({ review: { requestedBy, trialName, role, message, version } }: { review: Review }) {
  const { say, day } = useSpeaker()
  const { number, name, size, createdAt, sha256 } = version
  return (
    <>
      <p class="lead">{say('review.lead', { who: requestedBy, study: trialName })}</p>
      {role && <p>{say('review.role', { role })}</p>}
      <section class="card">
        {message && (
          <>
            <h2>{say('review.message')}</h2>
            <p dir="auto" class="after-text">
              {message}
            </p>
          </>
        )}
        <dl class="facts">
          <dt>{say('review.version', { number })}</dt>
          <dd>{say('review.facts', { name, size: sizeText(size), day: day(createdAt.slice(0, 10)) })}</dd>
          <dt>{say('review.hash')}</dt>
          <dd class="hash" dir="ltr">
            {sha256}
          </dd>
        </dl>
      </section>
    </>
  )
}

function Earlier({ review: { earlierVersions } }: { review: Review }) {
  const { say, day } = useSpeaker()
  if (!earlierVersions.length) return null
  const names = { draft: say('review.draft'), approved: say('review.approved'), rejected: say('review.rejected') }
  return (
    <section class="card">
      <h2>{say('review.earlier')}</h2>
      <ul>
        {earlierVersions.map(({ number, createdAt, status }) => (
          <li key={number}>
            {say('review.version', { number })} · {day(createdAt.slice(0, 10))} · {names[status]}
          </li>
        ))}
      </ul>
    </section>
  )
}

const sizeText = (bytes: number): string =>
  bytes < 2 ** 20 ? `${Math.max(1, Math.round(bytes / 1024))} kB` : `${Math.round((bytes / 2 ** 20) * 10) / 10} MB`
