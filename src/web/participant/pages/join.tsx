/** A link or QR code of the study team signs the person in, once. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { Button, ButtonLink, EmptyState, Skeleton } from '#web/kit/ui/components'
import { exchangeGrant, person } from '#web/participant/device/session'
import { go } from '#web/participant/route'
import { useTranslator } from '#web/participant/texts'
import { Front } from './front'
import { Page } from './page'

export function Join({ grant }: { grant: string }) {
  const { t } = useTranslator()
  const [status, setStatus] = useState<number>()
  const [attempt, tryAgain] = useState(0)
  const tried = useRef(-1)
  useEffect(() => {
    // The link works once: it must not be sent twice.
    if (tried.current === attempt) return
    tried.current = attempt
    void exchangeGrant(grant).then((answer) => {
      if (answer.isDone) go('', { replace: true })
      else setStatus(answer.status)
    })
  }, [grant, attempt])
  const again = () => {
    setStatus(undefined)
    tryAgain(attempt + 1)
  }
  return (
    <Front>
      <Page title={t(status === undefined ? 'join.title' : 'join.failed')}>
        {status === undefined ? <Skeleton lines={3} /> : <JoinRefused status={status} onAgain={again} />}
      </Page>
    </Front>
  )
}

function JoinRefused({ status, onAgain }: { status: number; onAgain: () => void }) {
  const { t } = useTranslator()
  const isRefused = status === 401 || status === 422 || status === 400
  return (
    <div class="card" role="alert">
      <EmptyState
        icon={isRefused ? 'key' : 'warning'}
        title={t(isRefused ? 'join.ended' : status === 429 ? 'refusal.tooMany' : 'join.noConnection')}
        note={t(isRefused ? 'join.endedNote' : 'join.noConnectionNote')}
      >
        {isRefused ? (
          <ButtonLink kind="main" href={person.value ? '/app/' : '/app/sign-in'}>
            {t(person.value ? 'app.toStart' : 'join.toSignIn')}
          </ButtonLink>
        ) : (
          <Button kind="main" onPress={onAgain}>
            {t('site.again')}
          </Button>
        )}
      </EmptyState>
    </div>
  )
}
