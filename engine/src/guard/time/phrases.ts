/**
 * What the library does not find in English, German, French and Spanish, and what it finds although it is no date and no time.
 * `tests/guard/time` has a table for each language.
 */

/** Numbers of hours in words. */
const HOUR = {
  en: 'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve',
  de: 'eins?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|(?:drei|vier|fünf|sech|sieb|acht|neun)zehn|zwanzig|(?:ein|zwei|drei)undzwanzig',
  fr: 'une|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|seize|dix-sept|dix-huit|dix-neuf|vingt(?:[- ](?:et[- ]une|deux|trois))?',
  es: 'dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|dieciséis|diecisiete|dieciocho|diecinueve|veinte|veintiuna|veintidós|veintitrés',
} as const;

const WEEKDAY_DE = 'montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag';

/** A phrase that names a day or a time of day. */
export interface Phrase {
  readonly pattern: RegExp;
  readonly names: 'day' | 'time';
  /** True where a noun after it makes it something else: `at three documents`, `on the 5th floor`. */
  readonly needsEnd?: boolean;
}

const phrase = (source: string, names: Phrase['names'], needsEnd = false): Phrase => ({
  pattern: new RegExp(`(?<![\\p{L}\\p{N}_.@-])(?:${source})(?![\\p{L}\\p{N}_])`, 'giu'),
  names,
  needsEnd,
});

let made: readonly Phrase[] | undefined;

/** What the library lacks. Made for the first text: the patterns take several milliseconds, which no start has to wait for. */
export function phrases(): readonly Phrase[] {
  return (made ??= makePhrases());
}

const makePhrases = (): readonly Phrase[] => [
  // English
  phrase(`half past (?:${HOUR.en}|\\d{1,2})`, 'time'),
  phrase(`(?:a )?quarter (?:past|to|after|before|of) (?:${HOUR.en}|\\d{1,2})`, 'time'),
  phrase(`(?:${HOUR.en}) o['’]?clock`, 'time'),
  phrase(`(?:at|by|until|till|before|after|around) (?:${HOUR.en})(?: (?:thirty|fifteen|forty-five))?`, 'time', true),
  phrase('(?:on|by|until|till|before|after|from|for) the \\d{1,2}(?:st|nd|rd|th)', 'day', true),
  phrase('this (?:morning|afternoon|evening|noon)', 'day'),
  phrase('(?:at|by|before|after|until|around) (?:noon|midday|midnight)', 'time'),
  // German
  phrase(`(?:um|gegen|ab|bis|vor|nach) (?:${HOUR.de})`, 'time', true),
  phrase(`(?:${HOUR.de}) uhr(?: (?:${HOUR.de}|dreißig))?`, 'time'),
  phrase('(?:[01]?\\d|2[0-3])\\.[0-5]\\d uhr', 'time'),
  phrase(`(?:halb|viertel(?: vor| nach)?|dreiviertel) (?:${HOUR.de}|\\d{1,2})`, 'time', true),
  phrase(`(?:${WEEKDAY_DE})s?(?:morgen|vormittag|mittag|nachmittag|abend|nacht|früh)s?`, 'day'),
  phrase('sonnabends?', 'day'),
  phrase('(?<!\\bi )(?:am|zum|vom|ab dem|bis zum|für den) \\d{1,2}\\.(?!\\d)', 'day'),
  phrase('(?:0?[1-9]|[12]\\d|3[01])\\.(?:0?[1-9]|1[0-2])\\.(?!\\d)', 'day'),
  phrase('mitternachts?|mittags|(?:am|zu|gegen|vor dem|nach dem) mittag', 'time'),
  phrase('in einer (?:halben|viertel|dreiviertel) ?stunde|in einer (?:viertel|dreiviertel)stunde', 'time'),
  // French
  phrase(
    `(?:à|vers|dès|avant|après|jusqu['’]à) (?:${HOUR.fr}) heures?(?: (?:et demie|et quart|moins le quart))?`,
    'time',
  ),
  phrase("(?:à|vers|avant|après|ce|jusqu['’]à) midi|(?:à|vers|avant|jusqu['’]à) minuit", 'time'),
  phrase('après-demain', 'day'),
  phrase('ce soir|cet après-midi|ce matin|cette nuit', 'day'),
  phrase("(?:le|au|du|jusqu['’]au) (?:1er|[1-9]|[12]\\d|3[01])", 'day', true),
  // Spanish
  phrase(
    `(?:a|sobre|hacia|desde|hasta|antes de|después de|para) (?:la una|las (?:${HOUR.es}))(?: (?:y media|y cuarto|menos cuarto|en punto))?`,
    'time',
    true,
  ),
  phrase('(?:al|a|hacia el|antes del|desde el|hasta el) mediod[ií]a|a (?:la )?medianoche', 'time'),
  phrase('esta (?:mañana|tarde|noche)', 'day'),
  phrase('(?:el|al|hasta el|para el|antes del)(?: día)? (?:[1-9]|[12]\\d|3[01])', 'day', true),
];

/** A date or time that is repeated: one message can ask for many events with it. */
export const RECURRING: RegExp =
  /(?<![\p{L}])(every|each|daily|weekly|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|jede[nrs]?|täglich|wöchentlich|montags|dienstags|mittwochs|donnerstags|freitags|samstags|sonntags|chaque|tous les|toutes les|quotidiennement|cada|todos los|todas las|diariamente|semanalmente)(?![\p{L}])/iu;

/** Names of days that are also other words, where nothing else belongs to them. */
export const AMBIGUOUS: ReadonlySet<string> = new Set(
  'mon wed sun sat so mo di mi do fr sa dim lun mar mer jeu ven sam dom mie mié jue vie sab sáb'.split(' '),
);

/** Words before `morgen` and `mañana` with which they mean the morning. */
export const BEFORE_MORNING: RegExp =
  /(?<![\p{L}])(guten|gute|schönen|schöne|am|jeden|den|der|einen|la|cada|buena)\s*$/iu;

/** Words that stand before a date which is over, or after it. */
export const BEFORE_PAST: RegExp =
  /(?<![\p{L}])(last|past|previous|letzte[nrms]?|vorige[nrms]?|vergangene[nrms]?)\s*$/iu;
export const AFTER_PAST: RegExp = /^\s*(ago|dernier|dernière|passé|passée|pasado|pasada)(?![\p{L}])/iu;
/** Phrases for days that are over. Without a time of day they say nothing about a new event. */
export const PAST: RegExp =
  /(?<![\p{L}])(ago|yesterday|last|past|previous|(?:vor)?gestern|vor|letzte[nrms]?|vorige[nrms]?|vergangene[nrms]?|(?:avant-)?hier|il y a|dernier|dernière|passée?|ayer|anteayer|anoche|hace|últim[oa]|pasad[oa](?!\s+mañana))(?![\p{L}])/iu;

/** Words before a length of time. */
export const BEFORE_LENGTH: RegExp =
  /(?<![\p{L}])(for|lasting|takes?|of|about|für|lang|während|pendant|durant|pour|durante|por|unos?)\s*$/iu;
/** How a length begins or ends that is counted from now, and so names a time. */
export const FROM_NOW: RegExp =
  /^(in|within|en|dans|dentro de|binnen|innerhalb|d['’]ici)(?![\p{L}])|(from now|from today|later|hence|after tomorrow)$/iu;
/** Lengths that only mean "soon". */
export const SOON: RegExp =
  /(second|sec|sekunde|seconde|segundo|sek|seg)s?n?$|(?<![\p{L}])(a|one|just a|einer?|eine|une?|un) (minute|min|minuto)$/iu;
/** Words for this very moment. */
export const NOW: RegExp = /^(right now|now|jetzt|gerade|maintenant|ahora|ahora mismo)$/iu;
/** Periods of more than a day, which leave the day open. */
export const PERIOD: RegExp =
  /(week-?end|wochenende|fin de semana)|^(the |this |next |coming |la |le |les |l['’]|cette |ce |est[ea] |el |in der |diese[rnms]? |nächste[rnms]? |kommende[rnms]? )*(week|month|quarter|year|woche|monat|quartal|jahr|semaine|mois|trimestre|année|semana|mes|año)( prochaine?| suivante?| que viene| próxim[oa])?$/iu;

/** Words that stand before numbers which are neither dates nor times. */
export const LABEL: RegExp =
  /(?<![\p{L}])(version|v|release|punkt|point|punto|kapitel|chapter|chapitre|capítulo|abschnitt|section|sección|ziffer|artikel|article|artículo|nr|no|num|número|nummer|number|order|bestellung|commande|pedido|invoice|rechnung|facture|factura|ticket|page|seite|página|room|raum|salle|sala|iso|§|#)\.?:?\s*$/iu;

/** Words that may follow a bare hour or day of the month. After any other word it counts something: `at 3 documents`. */
export const FOLLOWERS: ReadonlySet<string> = new Set(
  (
    "sharp o'clock oclock am pm a.m p.m latest earliest local time cet cest est edt pst pdt gmt utc bst on in at with for from to until till and or please if is works would will then but so because " +
    'today tomorrow tonight this next monday tuesday wednesday thursday friday saturday sunday thanks thank works ok okay i we he she they my our the a an between by before after about ' +
    'uhr nachmittags morgens vormittags mittags abends nachts früh am im in an auf mit für bei oder und bitte herum rum heute morgen übermorgen nächsten montag dienstag mittwoch donnerstag freitag samstag sonntag wäre ist geht passt zum zur ein eine einen den die das ich wir vor nach bis von ' +
    "heures heure h et ou avec pour dans en le la les au aux du des de demain aujourd'hui lundi mardi mercredi jeudi vendredi samedi dimanche s'il svp si est serait chez à je nous une un précises " +
    'y o con para por el del al en de hoy mañana pasado lunes martes miércoles jueves viernes sábado domingo favor gracias si es sería hasta a horas hrs un una menos que ' +
    'january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec ' +
    'januar februar märz mai juni juli oktober dezember janvier février mars avril juin juillet août septembre octobre novembre décembre enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'
  ).split(' '),
);
