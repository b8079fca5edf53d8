import type { TextsLike } from '#web/kit/language/catalogue'
import type { en } from './en'

/** The texts of signing in, in Arabic. */
export const ar = {
  'signIn.submit': 'تسجيل الدخول',
  'signIn.signOut': 'تسجيل الخروج',
  'signIn.email': 'البريد الإلكتروني',
  'signIn.password': 'كلمة المرور',
  'signIn.code': 'الرمز',
  'signIn.codeNote': 'فقط إذا فعّلت تسجيل الدخول بخطوتين: الأرقام الستة من تطبيق المصادقة، أو رمز استرداد.',
  'signIn.refused': 'البريد الإلكتروني أو كلمة المرور أو الرمز غير صحيح، أو الحساب معطّل.',
  'signIn.forgot': 'هل نسيت كلمة المرور؟',
  'signIn.ended': 'انتهت جلستك. سجّل الدخول مرة أخرى.',
  'signIn.other': 'سجّلت الدخول من جديد في نافذة أخرى. تحقق ممن سجّل الدخول هنا الآن، ثم حاول مرة أخرى.',
  'signIn.tooMany': 'محاولات فاشلة كثيرة. انتظر دقيقة ثم حاول مرة أخرى. يطول الانتظار مع كل محاولة أخرى.',
} as const satisfies TextsLike<typeof en>
