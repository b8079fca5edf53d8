/** The app of participants. */
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { followDrafts, readDrafts } from '#web/app/device/draftList'
import { followNotices } from '#web/app/device/notices'
import { readQueue, watchQueue } from '#web/app/device/queue'
import { readPerson } from '#web/app/device/readPerson'
import { currentTranslator } from '#web/app/device/request'
import { followSession, person, removeOrphanedFiles } from '#web/app/device/session'
import { isTablet } from '#web/app/device/tablet'
import { abortOnPageHide } from '#web/app/device/transactions'
import { keepApp } from '#web/app/device/worker'
import { awaitInstallation, Join, lazyPage, Shell, SignIn } from '#web/app/pages/initialPages'
import { Boundary, Toasts, TranslatorProvider } from '#web/ui/components'
import { language, markLanguage } from './language'
import { followLinks, route } from './route'
import { loadTranslator, type Translator } from './texts'
import { markTheme } from './theme'
import { AppTranslatorProvider, useTranslator } from './translator'

/** Shared tablets, and the link that makes one. Other devices do not load it. */
const Tablet = lazyPage(() => import('#web/app/tablet/entry'))
const JOIN = /^join\/([^/]+)$/

/** What is shown depends on whether somebody is signed in. A link of the study team works for every person who opens it. */
function App() {
  const { language } = useTranslator()
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
function Localised({ first }: { first: Translator }) {
  const [translator, setSpeaker] = useState(first)
  const chosen = language.value
  useEffect(() => {
    let isCurrent = true
    loadTranslator(chosen).then(
      (loaded) => {
        if (!isCurrent) return
        markLanguage(chosen)
        currentTranslator.value = loaded
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
    <TranslatorProvider translator={translator} provider={AppTranslatorProvider}>
      <Boundary note={translator.t('app.notShownNote')}>
        <App />
      </Boundary>
    </TranslatorProvider>
  )
}

/** A function, and no module that waits: WebKit may not go on after one that does. */
async function begin(): Promise<void> {
  markLanguage(language.value)
  markTheme()
  followLinks()
  awaitInstallation()
  abortOnPageHide()
  const place = document.getElementById('app')
  const translator = await loadTranslator(language.value).catch(() => loadTranslator('en'))
  currentTranslator.value = translator
  followSession()
  await readPerson()
  await Promise.all([readDrafts(), readQueue()])
  watchQueue()
  void removeOrphanedFiles().catch(() => undefined)
  followDrafts()
  followNotices()
  void keepApp()
  if (place) render(<Localised first={translator} />, place)
}

void begin()
