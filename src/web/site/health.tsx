/** The health of the server for people. What a person may see decides `GET /health`. */

import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { AnswerOf } from '#web/kit/api/operations'
import { ask } from '#web/kit/api/send'
import { localeOf } from '#web/kit/language/languages'
import { pageLanguage } from '#web/kit/language/pageLanguage'
import {
  Button,
  ButtonLink,
  createTranslatorContext,
  Dialog,
  mountWith,
  Notice,
  Skeleton,
} from '#web/kit/ui/components'
import { loadTranslator, type Translator } from './texts'

const { Provider, use } = createTranslatorContext<Translator>()

type HealthProblem = NonNullable<Health['problems']>[number]
/** The parts of the answer that the page uses. `problems` and the fields after it are sent only to people who run the server. */
type Health = AnswerOf<'readHealth'>
type Team = Session['user']['teams'][number]
type Session = AnswerOf<'readSession'>
/** `session` is null for somebody who is not signed in. */
type HealthState = { health: Health; session: Session | null }

/** The problems that have words of their own in each language; of others, and as the cause, the server's sentence is shown. */
const problemTexts = {
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
const hasProblemText = (code: string): code is keyof typeof problemTexts => Object.hasOwn(problemTexts, code)
const OF_CLOCK = ['clock', 'clockStep', 'clockNew']

/** A moment of the API in words, to the second and with the time zone of the device: it is compared with another clock. */
function momentText({ language }: Translator, moment: string): string {
  const format = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeStyle: 'long' })
  // Not every browser reads microseconds.
  return format.format(new Date(`${moment.slice(0, 23)}Z`))
}

const statusTexts = { ok: 'health.ok', warning: 'health.warning', failing: 'health.failing' } as const

/** Writes the status into the sentence that the server wrote into the page. */
function showStatus({ t }: Translator, { status }: Health): void {
  const state = document.getElementById('state')
  if (!state) return
  state.dataset.state = status === 'ok' ? 'good' : status === 'failing' ? 'bad' : 'warning'
  state.textContent = t(statusTexts[status])
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
  const translator = use()
  const { t } = translator
  const [healthState, setKnown] = useState<HealthState>()
  const [fault, setFault] = useState<string>()
  const [isAsking, setAsking] = useState(false)
  const [isAccepted, setAccepted] = useState(false)

  const load = useCallback(async () => {
    setFault(undefined)
    const [health, session] = await Promise.all([askHealth(), ask<Session>(translator, 'GET', '/sessions')])
    if (!health) return setFault(t('site.unreachable'))
    showStatus(translator, health)
    setKnown({ health, session: session.isDone ? session.body : null })
  }, [translator, t])
  useEffect(() => void load(), [load])

  if (!healthState && !fault) return <Skeleton lines={4} />
  const { health, session } = healthState ?? {}
  const team = session?.user.teams.find(({ permissions }) => permissions.includes('team.admin'))
  const ofClock = health?.problems?.find(({ code }) => OF_CLOCK.includes(code))
  return (
    <>
      {fault && (
        <Notice kind="fault" title={fault} isLive>
          <Button onPress={load}>{t('site.again')}</Button>
        </Notice>
      )}
      {isAccepted && <Notice kind="success" title={t('health.accepted')} isLive />}
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
                {t('health.right')}
              </Button>
            </div>
          )}
          {!team && <p class="note">{t('health.needsAdmin')}</p>}
        </Clock>
      )}
      {health && !health.problems && <p>{t('health.rest')}</p>}
      {health && !session && (
        <div class="actions">
          <ButtonLink href="/account?to=health">{t('health.signIn')}</ButtonLink>
        </div>
      )}
      {health?.version && <p class="note">{t('health.version', { version: health.version })}</p>}
      {isAsking && session && team && (
        <ConfirmClock
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

function Problem({ code, message, isFailing }: HealthProblem) {
  const { t } = use()
  return (
    <Notice kind={isFailing ? 'fault' : 'warning'} title={hasProblemText(code) ? t(problemTexts[code]) : message} />
  )
}

type ClockProps = { health: Health; problem: HealthProblem; children: ComponentChildren }

/** What is wrong with the clock: both times, and what that means. */
function Clock({ health, problem, children }: ClockProps) {
  const translator = use()
  const { t } = translator
  const { now, clock, newestEntryAt } = health
  const isBehind = problem.code === 'clock'
  const times: [text: string, moment: string | null | undefined][] = [
    [t('health.shown'), clock?.shown ?? now],
    [t('health.expected'), clock?.isFollowed || isBehind ? undefined : now],
    [t('health.newest'), isBehind ? newestEntryAt : undefined],
    [t('health.until'), isBehind ? undefined : clock?.sureAt],
  ]
  return (
    <section class="card">
      <h2>{t('health.clockTitle')}</h2>
      <Problem {...problem} />
      <dl class="times">
        {times.map(([text, moment]) =>
          moment ? (
            <div key={text}>
              <dt>{text}</dt>
              <dd>
                <bdi class="strong">{momentText(translator, moment)}</bdi>
              </dd>
            </div>
          ) : null,
        )}
      </dl>
      <p>{t(isBehind ? 'health.behindMeans' : 'health.heldMeans')}</p>
      {children}
    </section>
  )
}

type ConfirmClockProps = {
  session: Session
  team: Team
  onClose: () => void
  onAccepted: () => void
  /** Called if another person is signed in now, or nobody is. */
  onLost: () => void
}

/** Asks before the clock is confirmed: whatever is due by it is then sent and removed. */
function ConfirmClock({ session, team, onClose, onAccepted, onLost }: ConfirmClockProps) {
  const translator = use()
  const { t } = translator
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const accept = async () => {
    setBusy(true)
    const answer = await ask(translator, 'POST', `/teams/${team._id}/clockAcceptance`, { csrfToken: session.csrfToken })
    setBusy(false)
    if (answer.isDone) onAccepted()
    else if (answer.status === 401 || answer.details.code === 'csrf') onLost()
    else setFault(answer.message)
  }
  return (
    <Dialog
      title={t('health.acceptTitle')}
      action={{ label: t('health.right'), isBusy, onPress: accept }}
      onClose={onClose}
    >
      <p>{t('health.acceptNote')}</p>
      {fault && <Notice kind="fault" title={fault} isLive />}
    </Dialog>
  )
}

void mountWith(await loadTranslator(pageLanguage()), Provider, Page)
