import { frame } from '#web/participant/lang/frame/en'
import { home } from '#web/participant/lang/home/en'
import { pages } from '#web/participant/lang/pages/en'

/** The texts of the app of participants in English. The other languages have the same keys and placeholders. */
export const en = {
  ...frame,
  ...home,
  ...pages,
  'app.notFound': 'There is no such page',
  'app.toStart': 'Go to the start',

  'form.gone': 'This form cannot be filled in now',
  'form.notHere': 'This form is not on your device yet',
  'form.notHereNote': 'Open it once while you have a connection. After that it works without one.',
  'form.tryAgain': 'Try again',
  'form.afreshTitle': 'Start this form over?',
  'form.afreshNote': 'The answers that you have not sent yet are removed from this device.',
  'form.kept': 'Your answers from before are still here',
  'form.changed': 'The study team has changed this form since. Your answers that still fit are here.',
  'form.afresh': 'Start over',
  'form.toStart': 'To the start page',
  'form.waitingNote': 'They are sent as soon as there is a connection. You need not do anything.',
  'form.refusedNote':
    'Nothing is lost: they are on this device. You can correct them and send them again, or ask the study team.',
  'form.endsSoon': 'You can fill in this form until {time}.',
  'form.ended': 'The time for this form is over',
  'form.endedDone': 'You have filled in this form',
  'form.endedAsk': 'It cannot be filled in or changed any more. If you still want to, please write to your study team.',
  'form.endedNote':
    'What you answered before counts: please send it. If some of it was answered later, your study team decides what becomes of it.',
  'form.goneSend': 'If you send it all the same, your study team decides what becomes of your answers.',
  'form.refusedHeld': 'Nothing is lost: your study team gets your answers, and decides what becomes of them.',
  'form.refusedKept': 'Your answers were not sent. They stay on this device until you remove them.',
  'form.mend': 'Correct the answers',

  'queue.newVersion': 'A new version of this app is ready.',
  'queue.takeOver': 'Use it now',
} as const
