import type { TextsLike } from '#web/kit/language/catalogue'
import { frame } from '#web/participant/lang/frame/ar'
import { home } from '#web/participant/lang/home/ar'
import { pages } from '#web/participant/lang/pages/ar'
import type { en } from './en'

/** The texts of the app of participants in Arabic. They show that every page works from right to left. No translator has reviewed them. */
export const ar = {
  ...frame,
  ...home,
  ...pages,
  'app.notFound': 'هذه الصفحة غير موجودة',
  'app.toStart': 'إلى البداية',

  'form.gone': 'لا يمكن ملء هذه الاستمارة الآن',
  'form.notHere': 'هذه الاستمارة ليست على جهازك بعد',
  'form.notHereNote': 'افتحها مرة واحدة أثناء الاتصال. بعدها تعمل بدونه.',
  'form.tryAgain': 'حاول مرة أخرى',
  'form.afreshTitle': 'هل تبدأ هذه الاستمارة من جديد؟',
  'form.afreshNote': 'ستُزال من هذا الجهاز الإجابات التي لم ترسلها بعد.',
  'form.kept': 'إجاباتك السابقة ما زالت هنا',
  'form.changed': 'غيّر فريق الدراسة هذه الاستمارة منذ ذلك الحين. إجاباتك التي ما زالت مناسبة موجودة هنا.',
  'form.afresh': 'ابدأ من جديد',
  'form.toStart': 'إلى صفحة البداية',
  'form.waitingNote': 'ستُرسل حالما يتوفر اتصال. لا يلزمك فعل شيء.',
  'form.refusedNote': 'لم يُفقد شيء: هي على هذا الجهاز. يمكنك تصحيحها وإرسالها مرة أخرى، أو سؤال فريق الدراسة.',
  'form.endsSoon': 'يمكنك ملء هذه الاستمارة حتى {time}.',
  'form.ended': 'انتهى وقت هذه الاستمارة',
  'form.endedDone': 'لقد ملأت هذه الاستمارة',
  'form.endedAsk': 'لم يعد بالإمكان ملؤها أو تغييرها. إن كنت ما زلت تريد ذلك فراسل فريق الدراسة.',
  'form.endedNote': 'ما أجبت عنه قبل ذلك محسوب: يُرجى إرساله. وإن أجبت عن شيء بعد ذلك فسيقرر فريق الدراسة بشأنه.',
  'form.goneSend': 'إن أرسلتها مع ذلك فسيقرر فريق الدراسة بشأن إجاباتك.',
  'form.refusedHeld': 'لم يُفقد شيء: يتسلّم فريق الدراسة إجاباتك ويقرر بشأنها.',
  'form.refusedKept': 'لم تُرسل إجاباتك. تبقى على هذا الجهاز حتى تزيلها.',
  'form.mend': 'تصحيح الإجابات',

  'queue.newVersion': 'إصدار جديد من هذا التطبيق جاهز.',
  'queue.takeOver': 'استخدمه الآن',
} as const satisfies TextsLike<typeof en>
