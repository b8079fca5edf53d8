/** A link or QR code of the study team signs the person in, once. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { drafts } from '#web/app/device/drafts'
import { exchangeGrant, person } from '#web/app/device/session'
import { go } from '#web/app/route'
import { useSpeaker } from '#web/app/speaking'
import { Button, ButtonLink, EmptyState, Notice, Skeleton } from '#web/ui/components'
import { Front } from './front'
import { Page } from './page'

export function Join({ grant }: { grant: string }) {
  const { say } = useSpeaker()
  const [status, setStatus] = useState<number>()
  const [attempt, tryAgain] = useState(0)
  const tried = useRef(-1)
  // Whoever signs in as somebody else ends what is here: drafts would be gone.
  const [isAgreed, agree] = useState(person.value === undefined || drafts.value.length === 0)
  useEffect(() => {
    if (!isAgreed) return
    // The link works once: it must not be sent twice.
    if (tried.current === attempt) return
    tried.current = attempt
    void exchangeGrant(grant).then((answer) => {
      if (answer.isDone) go('', { replace: true })
      else setStatus(answer.status)
    })
  }, [grant, attempt, isAgreed])
  const again = () => {
    setStatus(undefined)
    tryAgain(attempt + 1)
  }
  return (
    <Front>
      <Page title={say(!isAgreed ? 'join.question' : status === undefined ? 'join.title' : 'join.failed')}>
        {!isAgreed ? (
          <Question onAgree={() => agree(true)} />
        ) : status === undefined ? (
          <Skeleton lines={3} />
        ) : (
          <Refused status={status} onAgain={again} />
        )}
      </Page>
    </Front>
  )
}

function Question({ onAgree }: { onAgree: () => void }) {
  const { say, count } = useSpeaker()
  return (
    <div class="card">
      <p>{say('join.questionNote', { id: person.value?.participantId ?? '' })}</p>
      <Notice kind="warning" title={say('join.others')}>
        {count('you.draftsLost', drafts.value.length)}
      </Notice>
      <div class="actions">
        <ButtonLink href="/app/">{say('app.toStart')}</ButtonLink>
        <Button kind="main" onPress={onAgree}>
          {say('join.goOn')}
        </Button>
      </div>
    </div>
  )
}

function Refused({ status, onAgain }: { status: number; onAgain: () => void }) {
  const { say } = useSpeaker()
  const isRefused = status === 401 || status === 422 || status === 400
  return (
    <div class="card" role="alert">
      <EmptyState
        icon={isRefused ? 'key' : 'warning'}
        title={say(isRefused ? 'join.ended' : status === 429 ? 'signIn.tooMany' : 'join.noConnection')}
        note={say(isRefused ? 'join.endedNote' : 'join.noConnectionNote')}
      >
        {isRefused ? (
          <ButtonLink kind="main" href={person.value ? '/app/' : '/app/sign-in'}>
            {say(person.value ? 'app.toStart' : 'join.toSignIn')}
          </ButtonLink>
        ) : (
          <Button kind="main" onPress={onAgain}>
            {say('app.again')}
          </Button>
        )}
      </EmptyState>
    </div>
  )
}
