/** The app of participants. */
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { language, markLanguage } from '#web/kit/language/chosenLanguage'
import { markTheme } from '#web/kit/page/theme'
import { Boundary, Toasts, TranslatorProvider } from '#web/kit/ui/components'
import { followDrafts, readDrafts } from '#web/participant/device/draftList'
import { followNotices } from '#web/participant/device/notices'
import { readQueue, watchQueue } from '#web/participant/device/queue'
import { readPerson } from '#web/participant/device/readPerson'
import { currentTranslator } from '#web/participant/device/request'
import { followSession, person, removeOrphanedFiles } from '#web/participant/device/session'
import { isTablet } from '#web/participant/device/tablet'
import { abortOnPageHide } from '#web/participant/device/transactions'
import { keepApp } from '#web/participant/device/worker'
import { awaitInstallation, Join, lazyPage, Shell, SignIn } from '#web/participant/pages/initialPages'
import { followLinks, route } from './route'
import { loadTranslator, type Translator } from './texts'
import { AppTranslatorProvider, useTranslator } from './translator'

/** Shared tablets, and the link that makes one. Other devices do not load it. */
const Tablet = lazyPage(() => import('#web/participant/tablet/entry'))
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
