/** The app on a shared tablet: one participant after another (docs/shared-tablets.md). */

import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { askAs } from '#web/app/device/request'
import { needsSignIn, person } from '#web/app/device/session'
import { keepCarrying } from '#web/app/device/shared/carry'
import { keepTablet, knownTablet, type Tablet } from '#web/app/device/shared/kept'
import { becomeTablet, isTablet } from '#web/app/device/tablet'
import { Frame, Front, Shell } from '#web/app/pages/first'
import { go, route } from '#web/app/route'
import { noteAnswer } from '#web/common/studyText'
import { EmptyState, Notice, Skeleton, showToast } from '#web/ui/components'
import { StudyText } from '#web/ui/studyText'
import { Bar } from './bar'
import { Idle } from './idle'
import { end, isEnding, type Known, known, signIn } from './session'
import { SetUp } from './setUp'
import { reasonOf, TabletSignIn } from './signIn'
import { useTabletSpeaker } from './speaking'
import { isOver, Staff } from './staff'
import type { Speaker } from './texts'

/** How often the server is asked whether the tablet was ended, in milliseconds. */
const LOOKED_EVERY = 60_000

/** Reads from the device which tablet this is, and then what the server says of it. */
async function look(): Promise<void> {
  const kept = known.value ?? (await knownTablet())
  if (!kept) {
    // The browser lost it: it is a device like any other.
    becomeTablet(false)
    return location.reload()
  }
  noteAnswer(kept.tablet)
  known.value = kept
  const answer = await askAs<Tablet>('GET', `/shared-devices/${kept.secret}`)
  if (answer.isDone) {
    noteAnswer(answer.body)
    known.value = { ...kept, tablet: answer.body }
  }
  // Another tablet took its place.
  else if (answer.isRefusal && answer.status === 404)
    known.value = { ...kept, tablet: { ...kept.tablet, state: 'ended' } }
  if (known.value !== kept) await keepTablet(kept.secret, known.value.tablet)
  if (isOver() && person.value) await end()
}

/** One window at a time: in another one, the answers of a session that goes on would look like those of one that has ended. */
function useOnlyWindow(): boolean | undefined {
  const [isOnly, setOnly] = useState<boolean>()
  useEffect(() => {
    if (!isTablet) return
    if (!navigator.locks) return setOnly(true)
    const other = setTimeout(() => setOnly(false), 2_000)
    void navigator.locks.request('tablet', () => {
      clearTimeout(other)
      setOnly(true)
      return new Promise(() => {})
    })
  }, [])
  return isOnly
}

/** What would open in another window would stay there when the person has gone. */
function useNoWindows(speaker: Speaker | undefined): void {
  useEffect(() => {
    if (!speaker) return undefined
    const refuse = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (!link || (!link.target && !link.download && link.origin === location.origin)) return
      event.preventDefault()
      showToast(speaker.say('tablet.noWindows'))
    }
    for (const each of ['click', 'auxclick'] as const) document.addEventListener(each, refuse, { capture: true })
    return () => {
      for (const each of ['click', 'auxclick'] as const) document.removeEventListener(each, refuse, { capture: true })
    }
  }, [speaker])
}

export function Page() {
  const speaker = useTabletSpeaker()
  const isOnly = useOnlyWindow()
  useNoWindows(speaker)
  useEffect(() => {
    if (!isOnly) return undefined
    void look()
    keepCarrying()
    const timer = setInterval(() => void look(), LOOKED_EVERY)
    return () => clearInterval(timer)
  }, [isOnly])
  const isOut = needsSignIn.value
  useEffect(() => {
    if (isOut) void end()
  }, [isOut])
  const link = /^tablet\/([\w-]+)$/.exec(route.value)?.[1]
  if (!speaker)
    return (
      <InFront>
        <Skeleton lines={5} />
      </InFront>
    )
  if (link !== undefined && !(isTablet && person.value))
    return (
      <InFront>
        <SetUp speaker={speaker} link={link} />
      </InFront>
    )
  if (isOnly === false)
    return (
      <InFront>
        <Frame title="Trialbox">
          <EmptyState icon="warning" title={speaker.say('tablet.other')} />
        </Frame>
      </InFront>
    )
  if (isEnding.value || !known.value)
    return (
      <InFront>
        {isEnding.value ? <p role="status">{speaker.say('tablet.leaving')}</p> : <Skeleton lines={5} />}
      </InFront>
    )
  if (!person.value) return <Nobody speaker={speaker} of={known.value} />
  return (
    <>
      <Bar speaker={speaker} />
      <Shell key={`${person.value.who} ${speaker.language}`} />
      <Idle speaker={speaker} />
    </>
  )
}

const InFront = ({ children }: { children: ComponentChildren }) => <Front>{children}</Front>

/** The tablet while nobody is signed in. */
function Nobody({ speaker, of }: { speaker: Speaker; of: Known }) {
  const { say } = speaker
  const { tablet } = of
  const grant = /^join\/([^/]+)$/.exec(route.value)?.[1]
  return (
    <Front>
      <p class="tablet-place">
        <StudyText class="strong" text={tablet.trial.name} />
        {tablet.site && <StudyText text={tablet.site.name} />}
      </p>
      {route.value === 'staff' ? (
        <Staff speaker={speaker} of={of} />
      ) : isOver() ? (
        <Frame title={say(tablet.state === 'expired' ? 'tablet.expired' : 'tablet.ended')}>
          <EmptyState icon="warning" title={say('tablet.endedNote')}>
            <a class="button" href="/app/staff">
              {say('tablet.staff')}
            </a>
          </EmptyState>
        </Frame>
      ) : grant !== undefined ? (
        <ByLink key={grant} speaker={speaker} grant={grant} />
      ) : (
        <TabletSignIn speaker={speaker} />
      )}
    </Front>
  )
}

/** A sign-in link that the camera of the tablet has read. */
function ByLink({ speaker, grant }: { speaker: Speaker; grant: string }) {
  const [fault, setFault] = useState<string>()
  useEffect(() => {
    void signIn({ grant }).then((answer) => {
      if (answer.isDone) return go('')
      setFault(answer.status === 401 ? speaker.say('tablet.linkFailed') : reasonOf(speaker, answer))
    })
  }, [])
  return (
    <Frame title={speaker.say('tablet.signingIn')}>
      {fault ? (
        <Notice kind="fault" title={fault} isLive>
          <a href="/app/">{speaker.say('tablet.back')}</a>
        </Notice>
      ) : (
        <Skeleton lines={3} />
      )}
    </Frame>
  )
}
