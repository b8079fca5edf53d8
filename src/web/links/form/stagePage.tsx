/** The page behind a link that opens one form of one participant: `/app/stage/<token>`. */

import { useEffect, useRef, useState } from 'preact/hooks'
import { Fill } from '#kernel/template'
import type { Said } from '#web/app/device/model'
import type { StageDetail } from '#web/app/form/stage'
import { type Answer, ask } from '#web/common/api'
import { noteAnswer, studyText } from '#web/common/studyText'
import { localeOf } from '#web/common/texts'
import { Notice, Skeleton } from '#web/ui/components'
import { EndPage, LinkPage, NotRead } from '../frame'
import { useSpeaker } from '../speaking'
import { Outcome, UrgentTold } from './outcome'
import { useSending } from './useSending'

type Opened = StageDetail & { trialName: string; enableAt: string | null; refuses: 'withdrawn' | 'locked' | null }
type Refused = Extract<Answer<never>, { isDone: false }>

/** Where a form is read and sent. The link of a form that follows a consent says so: its person need not be a participant. */
const pathOf = (token: string): string =>
  token.startsWith('screening-') ? `/screening-links/${token.slice('screening-'.length)}` : `/stage-tokens/${token}`

export function StagePage() {
  const speaker = useSpeaker()
  const { say, language } = speaker
  const [stage, setStage] = useState<Opened>()
  const [failure, setFailure] = useState<Refused>()
  const [attempt, again] = useState(0)
  /** What the device knew when it was sent. No state: nothing changes on the page before the server has answered. */
  const said = useRef<Said>(undefined)
  const { sent, isKept, refused, progress, send } = useSending()
  const path = pathOf(location.pathname.split('/').at(-1) ?? '')
  const isSent = sent !== undefined && sent.kind !== 'refused'
  useEffect(() => {
    if (isSent) return
    setFailure(undefined)
    void ask<Opened>(speaker, 'GET', path).then((answer) => {
      if (!answer.isDone) return setFailure(answer)
      noteAnswer(answer.body)
      setStage(answer.body)
    })
  }, [attempt, language, isSent])

  const over = stage && say('link.study', { study: stage.trialName })
  if (sent && sent.kind !== 'refused')
    return <Outcome sent={sent} said={said.current} isKept={isKept} over={over} progress={progress} />
  if (!stage) {
    if (failure?.status === 404 && failure.details.code === 'expired')
      return <EndPage icon="warning" title={say('link.expired')} note={say('link.expiredNote')} />
    if (failure) return <NotRead failure={failure} onAgain={() => again(attempt + 1)} />
    return (
      <LinkPage title={say('site.loading')}>
        <Skeleton lines={6} />
      </LinkPage>
    )
  }
  if ((!stage.enabled || stage.refuses || stage.consent) && !refused) return <Closed stage={stage} />
  const { version, opened } = stage
  return (
    <LinkPage title={stage.name} isOfStudy over={over}>
      {stage.description && (
        <p class="lead" {...studyText(stage.description)}>
          {stage.description}
        </p>
      )}
      {stage.completed && (
        <Notice kind="info" title={say('stage.again')}>
          {say('stage.againNote')}
        </Notice>
      )}
      {/* What the answers call for does not wait until the server takes them. */}
      {sent && <UrgentTold messages={said.current?.messages ?? []} about={over} />}
      <Fill
        stage={stage}
        sent={sent}
        begun={refused}
        progress={progress}
        send={(answers, now) => {
          said.current = now
          return send(`${path}/responses?${new URLSearchParams({ opened, version })}`, () => answers, answers)
        }}
      />
    </LinkPage>
  )
}

/** A form that cannot be filled in now, and what to do. */
function Closed({ stage: { trialName, enableAt, expired, zone, refuses, consent } }: { stage: Opened }) {
  const { say, language } = useSpeaker()
  const over = say('link.study', { study: trialName })
  if (refuses === 'withdrawn')
    return <EndPage icon="info" title={say('stage.withdrawn')} note={say('stage.withdrawnNote')} over={over} />
  if (refuses === 'locked')
    return <EndPage icon="info" title={say('stage.locked')} note={say('stage.lockedNote')} over={over} />
  if (consent) {
    const isWithdrawn = consent.status === 'withdrawn'
    const title = say(isWithdrawn ? 'stage.consentWithdrawn' : 'stage.consentNeeded')
    return (
      <EndPage
        icon="info"
        title={title}
        note={say(isWithdrawn ? 'stage.withdrawnNote' : 'stage.consentNeededNote')}
        over={over}
      />
    )
  }
  if (expired) return <EndPage icon="info" title={say('stage.closed')} note={say('stage.closedNote')} over={over} />
  const moment = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeStyle: 'short', timeZone: zone })
  const note =
    enableAt === null ? say('stage.soonNote') : say('stage.notYetNote', { day: moment.format(new Date(enableAt)) })
  return <EndPage icon="info" title={say('stage.notYet')} note={note} over={over} />
}
