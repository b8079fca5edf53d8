/** The pages that people reach by a link, without signing in: each is loaded when its link is opened. */
import { type ComponentType, render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { language, markLanguage } from '#web/kit/language/chosenLanguage'
import { markTheme } from '#web/kit/page/theme'
import { Boundary, TranslatorProvider } from '#web/kit/ui/components'
import { AppTranslatorProvider } from '#web/participant/translator'
import { ReadError } from './frame'
import { loadTranslator, type Translator } from './texts'
import { LinkTranslatorProvider } from './translator'

const pages: readonly (readonly [RegExp, () => Promise<ComponentType>])[] = [
  [/^\/app\/consent-session\/[^/]+$/, async () => (await import('#web/links/consent/entry')).consentPage('inPerson')],
  [
    /^\/app\/consent\/[^/]+\/[^/]+\/withdraw$/,
    async () => (await import('#web/links/consent/entry')).consentPage('withdraw'),
  ],
  [/^\/app\/consent\/[^/]+\/[^/]+$/, async () => (await import('#web/links/consent/entry')).consentPage('remote')],
  [/^\/app\/file-review\/[^/]+$/, async () => (await import('#web/links/review/entry')).ReviewPage],
  [/^\/app\/meeting\/[^/]+$/, async () => (await import('#web/links/meeting/entry')).meetingPage()],
  [/^\/poll\/[^/]+\/[^/]+(\/[^/]+)?$/, async () => (await import('#web/links/poll/entry')).PollPage],
  [/^\/app\/stage\/[^/]+$/, async () => (await import('#web/links/poll/entry')).StagePage],
]

/** The page of a link that was cut. */
const Broken = () => <ReadError failure={{ status: 404, message: '' }} onAgain={() => {}} />

/** The page in the language of the person, as soon as its texts are there. What was entered stays. */
function Localised({ first, page: Page }: { first: Translator; page: ComponentType }) {
  const [translator, setSpeaker] = useState(first)
  const chosen = language.value
  useEffect(() => {
    let isCurrent = true
    loadTranslator(chosen).then(
      (loaded) => {
        if (!isCurrent) return
        markLanguage(chosen)
        setSpeaker(loaded)
      },
      // Without a connection the language stays as it is.
      () => {},
    )
    return () => {
      isCurrent = false
    }
  }, [chosen])
  return (
    <TranslatorProvider translator={translator} provider={AppTranslatorProvider}>
      <LinkTranslatorProvider value={translator}>
        <Boundary>
          <Page />
        </Boundary>
      </LinkTranslatorProvider>
    </TranslatorProvider>
  )
}

/** A function, and no module that waits: WebKit may not go on after one that does. */
async function begin(): Promise<void> {
  markLanguage(language.value)
  markTheme()
  const place = document.getElementById('app')
  if (!place) return
  const load = pages.find(([path]) => path.test(location.pathname))?.[1] ?? (() => Broken)
  const [translator, Page] = await Promise.all([
    loadTranslator(language.value).catch(() => loadTranslator('en')),
    load(),
  ])
  render(<Localised first={translator} page={Page} />, place)
}

void begin()
