/** The app of participants. */
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { readDrafts } from '#web/app/device/drafts'
import { readQueue, watchQueue } from '#web/app/device/queue'
import { speaking } from '#web/app/device/request'
import { person, restoreSession } from '#web/app/device/session'
import { keepApp } from '#web/app/device/worker'
import { awaitInstallation, Join, Shell, SignIn } from '#web/app/pages/first'
import { Speaking, Toasts } from '#web/ui/components'
import { language, markLanguage } from './language'
import { followLinks, route } from './route'
import { AppSpeaking, useSpeaker } from './speaking'
import { type Speaker, speakerOf } from './texts'
import { markTheme } from './theme'

const JOIN = /^join\/([^/]+)$/

/** What is shown depends on whether somebody is signed in. A link of the study team counts for whoever opens it. */
function App() {
  const { language } = useSpeaker()
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
      <App />
    </Speaking>
  )
}

markLanguage(language.value)
markTheme()
followLinks()
awaitInstallation()
const place = document.getElementById('app')
const speaker = await speakerOf(language.value).catch(() => speakerOf('en'))
speaking.value = speaker
await restoreSession()
await Promise.all([readDrafts(), readQueue()])
watchQueue()
void keepApp()
if (place) render(<Localised first={speaker} />, place)
