import type { TextsLike } from '#web/kit/language/catalogue'
import type { en } from './en'

/** What is said around forms, in Arabic. */
export const ar = {
  'form.goneNote': 'ربما انتهى وقتها أو لم يحن بعد. إن كنت تنتظرها فاسأل فريق الدراسة.',
  'form.noRoom': 'لم يحفظ هذا الجهاز إجاباتك. أبقِ هذه الصفحة مفتوحة، وأفرغ بعض المساحة، ثم حاول مرة أخرى.',
  'form.stored': 'شكرًا. وصلت إجاباتك.',
  'form.waiting': 'إجاباتك محفوظة على هذا الجهاز',
  'form.refused': 'تعذّر قبول إجاباتك كما هي',
  'form.fileGone': 'لم يعد أحد ملفات هذه الإجابات موجودًا على هذا الجهاز. يُرجى اختياره مرة أخرى.',
  'form.notLoaded': 'هذه الصفحة ليست على جهازك بعد',
  'form.notLoadedNote': 'تحتاج إلى اتصال في المرة الأولى.',

  'refusal.closed': 'كانت الاستمارة قد أُغلقت عند وصول إجاباتك.',
  'refusal.notOpenYet': 'هذه الاستمارة غير مفتوحة بعد.',
  'refusal.withdrawn': 'لقد انسحبت من هذه الدراسة، لذلك لا يُجمع أي شيء آخر.',
  'refusal.archived': 'لم تعد مشاركًا في هذه الدراسة.',
  'refusal.locked': 'لا تقبل الدراسة إجابات في الوقت الحالي.',
  'refusal.tooMany': 'محاولات كثيرة. انتظر دقيقة ثم حاول مرة أخرى.',
  'refusal.consentWithdrawn': 'لقد سحبت موافقتك',
  'refusal.consentMissing': 'يُرجى توقيع نموذج الموافقة أولًا',
  'refusal.consentOutdated': 'يُرجى توقيع نموذج الموافقة الجديد',

  'said.urgent': 'مهم',
  'said.read': 'قرأت هذا',
} as const satisfies TextsLike<typeof en>
