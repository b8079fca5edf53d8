/** The app on a shared tablet: one participant after another (docs/shared-tablets.md). */

import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { noteAnswerLanguages } from '#web/kit/language/studyText'
import { isTablet, setTablet } from '#web/kit/storage/smallStorage'
import { EmptyState, Notice, Skeleton, showToast } from '#web/kit/ui/components'
import { StudyText } from '#web/kit/ui/studyText'
import { askAs } from '#web/participant/device/request'
import { needsSignIn, person } from '#web/participant/device/session'
import { keepSendingSealed } from '#web/participant/device/shared/sendSealed'
import { keepTablet, readTablet, type Tablet } from '#web/participant/device/shared/tabletDatabase'
import { Frame, Front, Shell } from '#web/participant/pages/initialPages'
import { go, route } from '#web/participant/route'
import { SessionBar } from './bar'
import { Idle } from './idle'
import { currentTablet, endSession, isEnding, type KnownTablet, signIn } from './session'
import { SetUp } from './setUp'
import { signInFault, TabletSignIn } from './signIn'
import { isOver, Staff } from './staff'
import type { Translator } from './texts'
import { useTabletTranslator } from './translator'

/** How often the server is asked whether the tablet was ended, in milliseconds. */
const POLL_INTERVAL = 60_000

/** Reads from the device which tablet this is, and then what the server says of it. */
async function refreshTablet(): Promise<void> {
  const kept = currentTablet.value ?? (await readTablet())
  if (!kept) {
    // The browser lost it: it is a device like any other.
    setTablet(false)
    return location.reload()
  }
  noteAnswerLanguages(kept.tablet)
  currentTablet.value = kept
  const answer = await askAs<Tablet>('GET', `/shared-devices/${kept.secret}`)
  if (answer.isDone) {
    noteAnswerLanguages(answer.body)
    currentTablet.value = { ...kept, tablet: answer.body }
  }
  // Another tablet took its place.
  else if (answer.isRefusal && answer.status === 404)
    currentTablet.value = { ...kept, tablet: { ...kept.tablet, state: 'ended' } }
  if (currentTablet.value !== kept) await keepTablet(kept.secret, currentTablet.value.tablet)
  if (isOver() && person.value) await endSession()
}

/** The app works in one window at a time: a second window would treat the answers of the current session as those of an ended one. */
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
function useNoWindows(translator: Translator | undefined): void {
  useEffect(() => {
    if (!translator) return undefined
    const refuse = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (!link || (!link.target && !link.download && link.origin === location.origin)) return
      event.preventDefault()
      showToast(translator.t('tablet.noWindows'))
    }
    for (const each of ['click', 'auxclick'] as const) document.addEventListener(each, refuse, { capture: true })
    return () => {
      for (const each of ['click', 'auxclick'] as const) document.removeEventListener(each, refuse, { capture: true })
    }
  }, [translator])
}

export function Page() {
  const translator = useTabletTranslator()
  const isOnly = useOnlyWindow()
  useNoWindows(translator)
  useEffect(() => {
    if (!isOnly) return undefined
    void refreshTablet()
    keepSendingSealed()
    const timer = setInterval(() => void refreshTablet(), POLL_INTERVAL)
    return () => clearInterval(timer)
  }, [isOnly])
  const isOut = needsSignIn.value
  useEffect(() => {
    if (isOut) void endSession()
  }, [isOut])
  const link = /^tablet\/([\w-]+)$/.exec(route.value)?.[1]
  if (!translator)
    return (
      <FrontPage>
        <Skeleton lines={5} />
      </FrontPage>
    )
  if (link !== undefined && !(isTablet && person.value))
    return (
      <FrontPage>
        <SetUp translator={translator} link={link} />
      </FrontPage>
    )
  if (isOnly === false)
    return (
      <FrontPage>
        <Frame title="Trialbox">
          <EmptyState icon="warning" title={translator.t('tablet.other')} />
        </Frame>
      </FrontPage>
    )
  if (isEnding.value || !currentTablet.value)
    return (
      <FrontPage>
        {isEnding.value ? <p role="status">{translator.t('tablet.leaving')}</p> : <Skeleton lines={5} />}
      </FrontPage>
    )
  if (!person.value) return <TabletStart translator={translator} of={currentTablet.value} />
  return (
    <>
      <SessionBar translator={translator} />
      <Shell key={`${person.value.who} ${translator.language}`} />
      <Idle translator={translator} />
    </>
  )
}

const FrontPage = ({ children }: { children: ComponentChildren }) => <Front>{children}</Front>

/** The tablet while nobody is signed in. */
function TabletStart({ translator, of }: { translator: Translator; of: KnownTablet }) {
  const { t } = translator
  const { tablet } = of
  const grant = /^join\/([^/]+)$/.exec(route.value)?.[1]
  return (
    <Front>
      <p class="tablet-place">
        <StudyText class="strong" text={tablet.trial.name} />
        {tablet.site && <StudyText text={tablet.site.name} />}
      </p>
      {route.value === 'staff' ? (
        <Staff translator={translator} of={of} />
      ) : isOver() ? (
        <Frame title={t(tablet.state === 'expired' ? 'tablet.expired' : 'tablet.ended')}>
          <EmptyState icon="warning" title={t('tablet.endedNote')}>
            <a class="button" href="/app/staff">
              {t('tablet.staff')}
            </a>
          </EmptyState>
        </Frame>
      ) : grant !== undefined ? (
        <LinkSignIn key={grant} translator={translator} grant={grant} />
      ) : (
        <TabletSignIn translator={translator} />
      )}
    </Front>
  )
}

/** A sign-in link that the camera of the tablet has read. */
function LinkSignIn({ translator, grant }: { translator: Translator; grant: string }) {
  const [fault, setFault] = useState<string>()
  useEffect(() => {
    void signIn({ grant }).then((answer) => {
      if (answer.isDone) return go('')
      setFault(answer.status === 401 ? translator.t('tablet.linkFailed') : signInFault(translator, answer))
    })
  }, [])
  return (
    <Frame title={translator.t('tablet.signingIn')}>
      {fault ? (
        <Notice kind="fault" title={fault} isLive>
          <a href="/app/">{translator.t('tablet.back')}</a>
        </Notice>
      ) : (
        <Skeleton lines={3} />
      )}
    </Frame>
  )
}
