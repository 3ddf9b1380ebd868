import { ENGLISH_STOP_WORDS, GERMAN_STOP_WORDS } from '../../memory/stop-words.ts';
import { GREETINGS, OWNERS, ROLES, SIGN_OFFS, THANKS } from './name-words.ts';

const split = (...lines: readonly string[]): string[] => lines.flatMap((line) => line.split(' '));

/** French and Spanish words that say nothing about a subject, without accents. */
const FRENCH_STOP_WORDS = split(
  'au aux avec ce ces cet cette comme dans de des du elles en est et eu il ils je la le les leur leurs lui ma mais me mes',
  'moi mon ne nos notre nous on ont ou par pas plus pour qu que qui quand quel quelle sa sans se ses si son sont sur ta te tes',
  'toi ton tout tous toute toutes tres tu un une vos votre vous y etre avoir fait faire peut suis sommes etes bien ici aussi',
  'merci oui non bonne bon demain hier alors donc chez entre apres avant depuis pendant',
);
const SPANISH_STOP_WORDS = split(
  'al algo alguien como con cual cuando de del desde donde el ellos en entre era es esa ese eso esta este esto estoy estan ha',
  'hace hasta hay he la las le les lo los mas me mi mis muy nada no nos nosotros nuestra nuestro o os para pero por porque que',
  'quien se ser si sin sobre son soy su sus tambien te tengo tiene todo todos tu tus un una unas uno unos usted ustedes y ya yo',
  'favor buenas buenos bien manana ayer ahora aqui alli entonces luego despues antes',
);

/** Days and months, with their usual abbreviations. */
export const DATE_WORDS: ReadonlySet<string> = new Set(
  split(
    'monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun january february',
    'march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec',
    'montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so januar februar marz mai juni juli',
    'oktober dezember janner feber okt dez lundi mardi mercredi jeudi vendredi samedi dimanche janvier fevrier mars avril',
    'juin juillet aout septembre octobre novembre decembre lunes martes miercoles jueves viernes sabado domingo enero febrero',
    'marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre today tomorrow yesterday tonight heute morgen',
    'gestern vormittag nachmittag abend nacht uhr easter christmas ostern weihnachten noel navidad week month year quarter',
  ),
);

/** Words that make the run of words before or around them the name of a company or of an organisation. */
export const COMPANY_WORDS: ReadonlySet<string> = new Set(
  split(
    'inc incorporated ltd limited llc llp plc corp corporation co company companies group holding holdings gmbh ag kg ohg ug gbr se',
    'mbh ev eg kgaa sarl sas sasu sa sl slu srl spa bv nv ab as oy oyj aps pty sons brothers bros partners associates bank',
    'university college school institute institut foundation stiftung verein verband hospital clinic klinik orchestra ministry',
    'ministerium department agency agentur union association society club fund ventures capital technologies technology systems',
    'solutions software services service consulting media studio studios labs laboratories industries international enterprises',
    'insurance versicherung airlines airways hotel hotels restaurant cafe church museum library press times news magazine records',
    'societe entreprise compagnie banque universite ecole hopital ministere empresa banco universidad escuela hospital grupo',
    'sparkasse werke fabrik verlag hochschule universitat gesellschaft bundesamt finanzamt amt stadtwerke force army navy police',
  ),
);

/** Words that make the run of words around them a place or a street. */
export const LOCATION_WORDS: ReadonlySet<string> = new Set(
  split(
    'street st avenue ave road rd lane ln drive dr boulevard blvd square sq court ct place pl way terrace highway hwy route bridge',
    'park plaza mall station airport tower building floor suite apt apartment box unit room hall house city town village county',
    'state island islands lake river mount mountain valley beach bay north south east west northern southern eastern western',
    'strasse str allee weg gasse platz ring ufer damm chaussee rue quai impasse chemin cours calle avenida avda plaza paseo',
    'carretera camino via viale piazza ul ulica laan straat plein bahnhof flughafen gare aeroport kingdom republic states new san',
    'santa saint los las bad sankt ext upper lower great el',
  ),
);

/** Names of mailboxes and departments, which are nobody's. */
export const SHARED_MAILBOXES: ReadonlySet<string> = new Set(
  split(
    'info support sales contact kontakt hello hallo office buero buro service services help helpdesk billing accounts accounting',
    'invoice invoices rechnung rechnungen buchhaltung marketing press presse jobs career careers hr admin administrator webmaster',
    'postmaster mailer daemon noreply reply donotreply no do not news newsletter notification notifications alerts alert team',
    'mail email inbox orders order bestellung shop store customer kundenservice kundendienst vertrieb einkauf personal legal',
    'privacy security abuse root system robot bot updates update feedback welcome events community members account bounce',
    'comptabilite ventes facturation contacto ventas facturacion soporte atencion clientes dev ops tech it finance payroll desk',
    'reception empfang zentrale anfrage anfragen bewerbung studio test client clients customers user users all everyone list',
    'procurement purchasing logistics operations engineering production warehouse management',
  ),
);

/** Who a greeting addresses where it names nobody, and what stands at the begin of sentences and lines of mails. */
const NOBODY = split(
  'all team there everyone everybody folks guys sir sirs madam madame ladies gentlemen friends colleagues zusammen alle allerseits',
  'leute damen herren kollegen kolleginnen team freunde messieurs mesdames tous toutes equipe collegues todos todas equipo senores',
  'colegas amigos subscriber customer user member whom concern world again back please bitte pls plz asap fyi re fwd fw aw wg tr rv ps nb',
  'subject betreff objet asunto date datum fecha note hinweis remarque nota attachment anhang invoice rechnung facture factura',
  'order number nummer numero regards dear best thanks thank mr mrs ms ok okay yes yeah nope sure hopefully however also great good',
  'sincerely attached enclosed anbei regarding concerning about since because although though while when where why how what which who',
  'phone mobile fax tel telephone telefon mobil handy email website web url http https www address adresse direccion street city zip',
  'title internet online google microsoft amazon apple facebook linkedin zoom teams slack github paypal whatsapp outlook gmail iphone',
  'android windows linux unsubscribe abmelden confidential vertraulich page seite version chapter section table figure total amount',
  'firma projekt stadt raum ende anfang mitte kapitel artikel abteilung thema termin frage antwort problem angebot auftrag vertrag',
  'lieferung bestellung zahlung konto bank ihnen ihr ihre sie wir unser unsere im am vom zum zur beim ins euro eur usd chf gbp',
  'not now never always just only still maybe perhaps let lets hope new old next last first second meeting call lunch dinner',
  'report budget plan project contract offer proposal review question answer issue problem ticket request god devil internet english',
  'german french spanish deutsch englisch francais espanol ich du er es confirm send sent check see find get make take go come',
  'nan null undefined none ahead later soon right everything anything something nothing someone anyone nobody somebody',
  'himself herself themselves myself yourself both them him her it this that these those one two three mailto ecc etc vs via',
  'number numbers time details list copy doctor professor president driver s t m re ll ve d x',
);

/** Words that are never a name by themselves, nor the begin of one. */
export const NEVER_NAMES: ReadonlySet<string> = new Set([
  ...ENGLISH_STOP_WORDS,
  ...GERMAN_STOP_WORDS,
  ...FRENCH_STOP_WORDS,
  ...SPANISH_STOP_WORDS,
  ...NOBODY,
  ...[...SHARED_MAILBOXES].filter((word) => word !== 'jobs'),
  ...[GREETINGS, SIGN_OFFS, THANKS, OWNERS]
    .flat()
    .flatMap((phrase) => phrase.split(' '))
    .filter((word) => word !== 'dias'),
]);

/** First and last names that are ordinary words as well: by themselves they are names only with a capital inside a sentence. */
export const AMBIGUOUS_NAMES: ReadonlySet<string> = new Set(
  split(
    'will may mark grace hope rose bill ella elle ines frank jack june april august summer faith joy dawn art rich gene pat sue bob drew chase grant',
    'miles dean young long king cook baker white black green brown gray grey hill stone wood woods lake field fields page case price',
    'day best good small short love rice bush bell ford west north fox wolf bird fish rod rob ray max may guy ben dan don jan kay lee',
    'major marine miller carpenter mason hunter fisher page ward park parks rush sharp swift strong wise noble moody power powers',
    'kurz klein gross lang jung neu weiss schwarz braun koch bauer richter konig kaiser vogel sommer winter berg stein fuchs hahn',
    'blanc petit grand roy leon flor luz paz sol mar angel cruz rey reyes campo rios blanco moreno rubio rojo iglesias',
    'ernst ehrlich freund herz kraft lustig reich sauer scholl schnell stark wild wolf zimmermann schneider muller weber schmidt meier',
    'violet iris ivy lily daisy olive ruby pearl amber jade crystal melody harmony destiny serenity trinity victoria paris sydney',
    'florence charlotte austin dallas jordan israel chad georgia virginia carolina dakota madison lincoln jackson washington',
  ),
);

export const ROLE_WORDS: ReadonlySet<string> = new Set(ROLES);

/** German words that English, French and Spanish do not have. */
export const GERMAN_WORDS: ReadonlySet<string> = GERMAN_STOP_WORDS.difference(
  new Set([
    ...ENGLISH_STOP_WORDS,
    ...FRENCH_STOP_WORDS,
    ...SPANISH_STOP_WORDS,
    'in',
    'an',
    'am',
    'so',
    'die',
    'war',
    'bis',
    'da',
  ]),
);
