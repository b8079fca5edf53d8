/** The pages that people reach by a link, without signing in: each is loaded when its link is opened. */
import { type ComponentType, render } from 'preact'
import { FormTranslatorProvider } from '#web/form/translator'
import { language, markLanguage } from '#web/kit/language/chosenLanguage'
import { firstTranslator, Localised } from '#web/kit/page/page'
import { markTheme } from '#web/kit/page/theme'
import { ReadError } from './frame'
import { type Room, roomAt } from './rooms'
import { LinkTranslatorProvider, loadTranslator } from './texts'

const pages: Readonly<Record<Room, () => Promise<ComponentType>>> = {
  inPerson: async () => (await import('#web/links/consent/entry')).consentPage('inPerson'),
  withdraw: async () => (await import('#web/links/consent/entry')).consentPage('withdraw'),
  remote: async () => (await import('#web/links/consent/entry')).consentPage('remote'),
  review: async () => (await import('#web/links/review/entry')).ReviewPage,
  meeting: async () => (await import('#web/links/meeting/entry')).meetingPage(),
  poll: async () => (await import('#web/links/poll/entry')).PollPage,
  stage: async () => (await import('#web/links/stage/entry')).StagePage,
}

/** The page of a link that was cut. */
const Broken = () => <ReadError failure={{ status: 404, message: '' }} onAgain={() => {}} />

/** A function, and no module that waits: WebKit may not go on after one that does. */
async function begin(): Promise<void> {
  markLanguage(language.value)
  markTheme()
  const place = document.getElementById('app')
  if (!place) return
  const room = roomAt(location.pathname)
  const load = room ? pages[room] : async () => Broken
  const [translator, Page] = await Promise.all([firstTranslator(loadTranslator), load()])
  render(
    <Localised load={loadTranslator} first={translator} providers={[FormTranslatorProvider, LinkTranslatorProvider]}>
      <Page />
    </Localised>,
    place,
  )
}

void begin()
