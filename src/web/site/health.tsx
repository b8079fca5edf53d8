/** The health of the server for people. What a person may see decides `GET /health`. */
import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { ask } from '#web/common/api'
import { pageLanguage } from '#web/common/page'
import { localeOf } from '#web/common/texts'
import { Button, ButtonLink, Dialog, mountWith, Notice, Skeleton, speaking } from '#web/ui/components'
import { type Speaker, speakerOf } from './texts'

const { Provider, use } = speaking<Speaker>()

type Status = 'ok' | 'warning' | 'failing'
type Trouble = { code: string; message: string; isFailing: boolean }
/** The parts of the answer that the page uses. `problems` and what follows are told to those who run the server. */
type Health = {
  status: Status
  version?: string
  problems?: readonly Trouble[]
  now?: string
  newestEntryAt?: string | null
  clock?: { shown: string; isFollowed: boolean; sureAt: string }
}
type Team = { _id: string; permissions: readonly string[] }
type Session = { csrfToken: string; user: { teams: readonly Team[] } }
/** `session` is null for somebody who is not signed in. */
type Known = { health: Health; session: Session | null }

/** The problems that have words of their own in each language; of others, and as the cause, the server's sentence is shown. */
const words = {
  diskFull: 'health.diskFull',
  diskSpace: 'health.diskSpace',
  folder: 'health.folder',
  disk: 'health.disk',
  clock: 'health.clock',
  clockStep: 'health.clockStep',
  clockNew: 'health.clockNew',
  database: 'health.database',
  verify: 'health.verify',
  certificate: 'health.certificate',
  backup: 'health.backup',
} as const
const hasWords = (code: string): code is keyof typeof words => Object.hasOwn(words, code)
const OF_CLOCK = ['clock', 'clockStep', 'clockNew']

/** A moment of the API in words, to the second and with the time zone of the device: it is compared with another clock. */
function momentText({ language }: Speaker, moment: string): string {
  const format = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeStyle: 'long' })
  // Not every browser reads microseconds.
  return format.format(new Date(`${moment.slice(0, 23)}Z`))
}

const statusTexts = { ok: 'health.ok', warning: 'health.warning', failing: 'health.failing' } as const

/** Writes the status into the sentence that the server wrote into the page. */
function showStatus({ say }: Speaker, { status }: Health): void {
  const state = document.getElementById('state')
  if (!state) return
  state.dataset.state = status === 'ok' ? 'good' : status === 'failing' ? 'bad' : 'warning'
  state.textContent = say(statusTexts[status])
}

/** What the server says of its health, also if it is failing (503); undefined if it says nothing. */
async function askHealth(): Promise<Health | undefined> {
  try {
    const response = await fetch('/health', { headers: { Accept: 'application/json' } })
    const health: Partial<Health> = await response.json()
    return health.status && { ...health, status: health.status }
  } catch {
    return undefined
  }
}

function Page() {
  const speaker = use()
  const { say } = speaker
  const [known, setKnown] = useState<Known>()
  const [fault, setFault] = useState<string>()
  const [isAsking, setAsking] = useState(false)
  const [isAccepted, setAccepted] = useState(false)

  const load = useCallback(async () => {
    setFault(undefined)
    const [health, session] = await Promise.all([askHealth(), ask<Session>(speaker, 'GET', '/sessions')])
    if (!health) return setFault(say('site.unreachable'))
    showStatus(speaker, health)
    setKnown({ health, session: session.isDone ? session.body : null })
  }, [speaker, say])
  useEffect(() => void load(), [load])

  if (!known && !fault) return <Skeleton lines={4} />
  const { health, session } = known ?? {}
  const team = session?.user.teams.find(({ permissions }) => permissions.includes('team.admin'))
  const ofClock = health?.problems?.find(({ code }) => OF_CLOCK.includes(code))
  return (
    <>
      {fault && (
        <Notice kind="fault" title={fault} isLive>
          <Button onPress={load}>{say('site.again')}</Button>
        </Notice>
      )}
      {isAccepted && <Notice kind="success" title={say('health.accepted')} isLive />}
      {health?.problems
        ?.filter((each) => each !== ofClock)
        .map((each) => (
          <Problem key={each.code} {...each} />
        ))}
      {health && ofClock && (
        <Clock health={health} problem={ofClock}>
          {session && team && (
            <div class="actions">
              <Button kind="main" onPress={() => setAsking(true)}>
                {say('health.right')}
              </Button>
            </div>
          )}
          {!team && <p class="note">{say('health.needsAdmin')}</p>}
        </Clock>
      )}
      {health && !health.problems && <p>{say('health.rest')}</p>}
      {health && !session && (
        <div class="actions">
          <ButtonLink href="/account?to=health">{say('health.signIn')}</ButtonLink>
        </div>
      )}
      {health?.version && <p class="note">{say('health.version', { version: health.version })}</p>}
      {isAsking && session && team && (
        <Accept
          session={session}
          team={team}
          onClose={() => setAsking(false)}
          onAccepted={() => {
            setAsking(false)
            setAccepted(true)
            return load()
          }}
          onLost={() => {
            setAsking(false)
            return load()
          }}
        />
      )}
    </>
  )
}

function Problem({ code, message, isFailing }: Trouble) {
  const { say } = use()
  return <Notice kind={isFailing ? 'fault' : 'warning'} title={hasWords(code) ? say(words[code]) : message} />
}

type ClockProps = { health: Health; problem: Trouble; children: ComponentChildren }

/** What is wrong with the clock: both times, and what that means. */
function Clock({ health, problem, children }: ClockProps) {
  const speaker = use()
  const { say } = speaker
  const { now, clock, newestEntryAt } = health
  const isBehind = problem.code === 'clock'
  const times: [text: string, moment: string | null | undefined][] = [
    [say('health.shown'), clock?.shown ?? now],
    [say('health.expected'), clock?.isFollowed || isBehind ? undefined : now],
    [say('health.newest'), isBehind ? newestEntryAt : undefined],
    [say('health.until'), isBehind ? undefined : clock?.sureAt],
  ]
  return (
    <section class="card">
      <h2>{say('health.clockTitle')}</h2>
      <Problem {...problem} />
      <dl class="times">
        {times.map(([text, moment]) =>
          moment ? (
            <div key={text}>
              <dt>{text}</dt>
              <dd>
                <bdi class="strong">{momentText(speaker, moment)}</bdi>
              </dd>
            </div>
          ) : null,
        )}
      </dl>
      <p>{say(isBehind ? 'health.behindMeans' : 'health.heldMeans')}</p>
      {children}
    </section>
  )
}

type AcceptProps = {
  session: Session
  team: Team
  onClose: () => void
  onAccepted: () => void
  /** Somebody else is signed in here now, or nobody. */
  onLost: () => void
}

/** Asks before the clock is confirmed: whatever is due by it is then sent and removed. */
function Accept({ session, team, onClose, onAccepted, onLost }: AcceptProps) {
  const speaker = use()
  const { say } = speaker
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const accept = async () => {
    setBusy(true)
    const answer = await ask(speaker, 'POST', `/teams/${team._id}/clockAcceptance`, { csrfToken: session.csrfToken })
    setBusy(false)
    if (answer.isDone) onAccepted()
    else if (answer.status === 401 || answer.details.code === 'csrf') onLost()
    else setFault(answer.message)
  }
  return (
    <Dialog
      title={say('health.acceptTitle')}
      action={{ label: say('health.right'), isBusy, onPress: accept }}
      onClose={onClose}
    >
      <p>{say('health.acceptNote')}</p>
      {fault && <Notice kind="fault" title={fault} isLive />}
    </Dialog>
  )
}

void mountWith(await speakerOf(pageLanguage()), Provider, Page)
