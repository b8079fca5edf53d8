/** The app of participants. */
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { followDrafts, readDrafts } from '#web/app/device/draftList'
import { followNotices } from '#web/app/device/notices'
import { readQueue, watchQueue } from '#web/app/device/queue'
import { readPerson } from '#web/app/device/readPerson'
import { speaking } from '#web/app/device/request'
import { dropFilesOfNobody, followSession, person } from '#web/app/device/session'
import { isTablet } from '#web/app/device/tablet'
import { endWithPage } from '#web/app/device/transactions'
import { keepApp } from '#web/app/device/worker'
import { awaitInstallation, Join, lazily, Shell, SignIn } from '#web/app/pages/first'
import { Boundary, Speaking, Toasts } from '#web/ui/components'
import { language, markLanguage } from './language'
import { followLinks, route } from './route'
import { AppSpeaking, useSpeaker } from './speaking'
import { type Speaker, speakerOf } from './texts'
import { markTheme } from './theme'

/** Shared tablets, and the link that makes one. Other devices do not load it. */
const Tablet = lazily(() => import('#web/app/tablet/all'))
const JOIN = /^join\/([^/]+)$/

/** What is shown depends on whether somebody is signed in. A link of the study team counts for whoever opens it. */
function App() {
  const { language } = useSpeaker()
  if (isTablet || route.value.startsWith('tablet/')) return <Tablet />
  const grant = JOIN.exec(route.value)?.[1]
  if (grant !== undefined) return <Join grant={grant} />
  if (person.value) return <Shell key={`${person.value.who} ${language}`} />
  return (
    <>
      <SignIn />
      <Toasts />
    </>
  )
}

/** The app in the language of the person, as soon as its texts are there. */
function Localised({ first }: { first: Speaker }) {
  const [speaker, setSpeaker] = useState(first)
  const chosen = language.value
  useEffect(() => {
    let isCurrent = true
    speakerOf(chosen).then(
      (loaded) => {
        if (!isCurrent) return
        markLanguage(chosen)
        speaking.value = loaded
        setSpeaker(loaded)
      },
      // The texts of this language are not on the device: the language stays as it is until there is a connection.
      () => {},
    )
    return () => {
      isCurrent = false
    }
  }, [chosen])
  return (
    <Speaking speaker={speaker} provider={AppSpeaking}>
      <Boundary note={speaker.say('app.notShownNote')}>
        <App />
      </Boundary>
    </Speaking>
  )
}

/** A function, and no module that waits: WebKit may not go on after one that does. */
async function begin(): Promise<void> {
  markLanguage(language.value)
  markTheme()
  followLinks()
  awaitInstallation()
  endWithPage()
  const place = document.getElementById('app')
  const speaker = await speakerOf(language.value).catch(() => speakerOf('en'))
  speaking.value = speaker
  followSession()
  await readPerson()
  await Promise.all([readDrafts(), readQueue()])
  watchQueue()
  void dropFilesOfNobody().catch(() => undefined)
  followDrafts()
  followNotices()
  void keepApp()
  if (place) render(<Localised first={speaker} />, place)
}

void begin()
