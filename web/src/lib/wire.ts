// Generated from the server's Rust types by `cargo xtask golden`. Do not edit.

/**
 * A position as a viewer may see it.
 */
export type Picture = { 
/**
 * The board first, then hands, piles and whatever else has places. The program that draws lays them out.
 */
areas: Array<Area>, 
/**
 * Numbers beside the board: score, chips, the pot.
 */
counters?: Array<Counter>, 
/**
 * Touchable things without a place: `fold`, `pass`, `end`.
 */
buttons?: Array<Button>, 
/**
 * Short sentences about the position: `Raichi!`, `The flop`.
 */
notes?: Array<string>, 
/**
 * How an action is chosen here, in short sentences for who is new to it. They say nothing about the position: on paper
 * and in diagrams they are left out.
 */
hints?: Array<string>, 
/**
 * What is shown at the seats beside their cards and counters: the dealer's button, a wager, what was won.
 */
badges?: Array<Badge>, 
/**
 * Charts that say how things stand, each in place of the game's chart of the same id: what is still to come.
 */
charts?: Array<Chart>, 
/**
 * The table as the last round left it, where the picture itself no longer shows it. A program that draws may hold
 * it for a while before it goes on.
 */
before?: Picture, };

/**
 * A surface with things on it, in its own units: x to the right, y downward, (0, 0) its top left corner.
 */
export type Area = { 
/**
 * Unique in the picture.
 */
id: string, 
/**
 * What it is called; drawn beside trays, read aloud for boards.
 */
title: string, 
/**
 * How it is laid out.
 */
kind: AreaKind, 
/**
 * The seat it belongs to.
 */
seat?: number, 
/**
 * Whether it may be turned about and seen from the other side: nothing in it stands or falls.
 */
turnable?: boolean, 
/**
 * In units; a board cell is about one unit wide.
 */
width: number, 
/**
 * In units.
 */
height: number, 
/**
 * Places, drawn first, in order.
 */
cells: Array<Cell>, 
/**
 * Drawn on the cells.
 */
lines?: Array<Line>, 
/**
 * Drawn on top, in order.
 */
pieces: Array<Piece>, 
/**
 * Coordinates and captions.
 */
texts?: Array<Caption>, };

/**
 * How an area is laid out.
 */
export type AreaKind = "board" | "tray" | "table" | "solid";

/**
 * A place.
 */
export type Cell = { 
/**
 * Unique in the picture; what paths of touches name.
 */
id: string, 
/**
 * The centre.
 */
x: number, 
/**
 * The centre.
 */
y: number, 
/**
 * What it looks like.
 */
shape: Shape, 
/**
 * How it is filled.
 */
tone: Tone, 
/**
 * Touching the cell counts as touching this instead of `id`: a column, a hand.
 */
touch?: string, 
/**
 * What a screen reader says; the id where absent.
 */
label?: string, 
/**
 * Written in the cell.
 */
text?: string, 
/**
 * Shown only while it may be touched or is chosen, and then above everything else: a choice that stands at what
 * was chosen before.
 */
passing?: boolean, 
/**
 * Cells that light up with this one while somebody points at it: what touching it would take.
 */
along?: Array<string>, };

/**
 * What a cell looks like.
 */
export type Shape = { "type": "square" } | { "type": "rect", 
/**
 * In units.
 */
width: number, 
/**
 * In units.
 */
height: number, } | { "type": "hexagon" } | { "type": "circle", 
/**
 * In units.
 */
radius: number, } | { "type": "card" } | { "type": "facet", 
/**
 * In units; each within one unit of the centre along every axis.
 */
corners: [[number, number, number], [number, number, number], [number, number, number], [number, number, number]], };

/**
 * A thing that lies on a cell.
 */
export type Piece = { 
/**
 * The cell it lies on.
 */
cell: string, 
/**
 * What it is.
 */
kind: PieceKind, 
/**
 * Whose, or which colour.
 */
tone: Tone, 
/**
 * Written on it: a tile's number, a card's rank and suit (`As`), a count.
 */
text?: string, 
/**
 * From the cell's centre, in units; 0 where absent.
 */
dx?: number, 
/**
 * From the cell's centre, in units; 0 where absent.
 */
dy?: number, 
/**
 * Of the piece, in units; its kind's own where absent.
 */
size?: number, };

/**
 * What a piece is.
 */
export type PieceKind = "disc" | "slab" | "king" | "cross" | "ring" | "tile" | "card" | "card-back" | "token" | "die" | "stick";

/**
 * A colour by its meaning; the program that draws chooses the shade.
 */
export type Tone = { "seat": number } | "light" | "dark" | "accent" | "plain" | "neutral" | "black" | "white" | "red" | "yellow" | "blue" | "green" | "orange" | "purple" | { "scale": number } | { "mix": [number, number, number, number, number] };

/**
 * A line through points.
 */
export type Line = { 
/**
 * The corners, (x, y).
 */
points: Array<[number, number]>, 
/**
 * Its colour.
 */
tone: Tone, 
/**
 * In units.
 */
width: number, 
/**
 * Where the line can be touched, its id.
 */
id?: string, 
/**
 * Touching the line counts as touching these instead of `id`, one after the other: the nodes that it joins.
 */
touch?: Array<string>, 
/**
 * Whether it ends in an arrow head.
 */
arrow?: boolean, };

/**
 * A caption or a coordinate.
 */
export type Caption = { 
/**
 * Of its centre.
 */
x: number, 
/**
 * Of its centre.
 */
y: number, 
/**
 * What it says.
 */
text: string, 
/**
 * Height of a capital, about, in units.
 */
size: number, 
/**
 * A coordinate, which a reader may switch off.
 */
coordinate?: boolean, };

/**
 * A number beside the board.
 */
export type Counter = { 
/**
 * Whose.
 */
seat?: number, 
/**
 * Of what.
 */
label: string, 
/**
 * How many.
 */
value: string, };

/**
 * A sign at a seat.
 */
export type Badge = { 
/**
 * Whose.
 */
seat: number, 
/**
 * What it is.
 */
kind: BadgeKind, 
/**
 * What it says.
 */
text: string, };

/**
 * What a sign at a seat is.
 */
export type BadgeKind = "button" | "stake" | "state" | "gain" | "loss";

/**
 * A touchable thing without a place.
 */
export type Button = { 
/**
 * What paths of touches name.
 */
id: string, 
/**
 * Written on it.
 */
label: string, };

/**
 * A table.
 */
export type Chart = { 
/**
 * Unique among the charts of a game; letters, digits and hyphens.
 */
id: string, 
/**
 * What it is called.
 */
title: string, 
/**
 * How it is read, in a sentence or a few.
 */
text: string, 
/**
 * What stands above the rows' heads.
 */
corner: string, 
/**
 * Above the columns.
 */
columns: Array<Entry>, 
/**
 * Each has an entry for every column.
 */
rows: Array<Row>, };

/**
 * A row of a chart.
 */
export type Row = { 
/**
 * What the row is about.
 */
head: Entry, 
/**
 * One for every column.
 */
entries: Array<Entry>, };

/**
 * What stands in a place of a chart.
 */
export type Entry = { 
/**
 * What it says; where there are figures, what they are for those who do not see them.
 */
text: string, 
/**
 * Drawn in place of the text.
 */
figures?: Array<Figure>, 
/**
 * A second, smaller line.
 */
note?: string, 
/**
 * How the place is filled. It never says what the text does not.
 */
tone?: Tone, 
/**
 * What is shown to those who open the place.
 */
details?: Array<Detail>, };

/**
 * A thing that is drawn in a chart as it is on the board.
 */
export type Figure = { 
/**
 * What it is.
 */
kind: PieceKind, 
/**
 * Whose, or which colour.
 */
tone: Tone, 
/**
 * Written on it, as on a [`Piece`](crate::picture::Piece).
 */
text?: string, };

/**
 * A line of what an entry tells besides.
 */
export type Detail = { 
/**
 * Of what.
 */
label: string, 
/**
 * What is said of it.
 */
value: string, };

/**
 * A way of writing what stands on the pieces of a game: letters, names, digits.
 */
export type Lettering = { 
/**
 * What it is called.
 */
title: string, 
/**
 * What is written in place of the pieces' own texts; what is not among them stays. Counts on tokens always stay.
 */
texts: Array<[string, string]>, };

/**
 * A question with answers to choose from.
 */
export type Exercise = { 
/**
 * What is asked about the figures.
 */
question: string, 
/**
 * What it is asked about.
 */
figures: Array<Figure>, 
/**
 * What can be said, in a fixed order.
 */
answers: Array<Answer>, 
/**
 * The number of the right one, from 0.
 */
right: number, 
/**
 * Why it is right, in a sentence.
 */
because: string, 
/**
 * How the answer is found, one step after the other; empty where there are no steps.
 */
steps: Array<string>, };

/**
 * What can be said to a question.
 */
export type Answer = { 
/**
 * What is typed for it.
 */
key: string, 
/**
 * In words.
 */
text: string, 
/**
 * As it is drawn.
 */
figure: Figure, };

/**
 * Why an action is chosen, or who wins.
 */
export type Reason = { 
/**
 * A sentence or a few.
 */
text: string, 
/**
 * Places of the picture that belong together, by their ids: each a way from its first place to its last, two places at
 * least. They are drawn on the board; the text says what they are.
 */
joined: Array<Array<string>>, };

/**
 * One declared parameter.
 */
export type ParamSpec = { 
/**
 * The key, as written in a spec.
 */
name: string, 
/**
 * What values it takes.
 */
kind: ParamKind, 
/**
 * The default in spec text; `None` where it depends on the other parameters or the parameter may be absent.
 */
default: string | null, 
/**
 * One sentence for people: what it changes.
 */
help: string, };

/**
 * What values a parameter takes.
 */
export type ParamKind = { "type": "int", 
/**
 * Least value.
 */
min: number, 
/**
 * Greatest value.
 */
max: number, 
/**
 * Distance of neighbouring values, 1 for all whole numbers.
 */
step: number, } | { "type": "bool" } | { "type": "choice", 
/**
 * The words.
 */
options: Array<string>, } | { "type": "list", 
/**
 * Fewest entries.
 */
min_len: number, 
/**
 * Most entries.
 */
max_len: number, 
/**
 * Least value of an entry.
 */
min: number, 
/**
 * Greatest value of an entry.
 */
max: number, };

/**
 * A game of the lobby.
 */
export type GameEntry = { id: string, name: string, blurb: string, 
/**
 * Other names, for searching.
 */
aliases: Array<string>, params: Array<ParamSpec>, seats: number, 
/**
 * The fewest and the most seats it can have.
 */
seat_range: [number, number], seat_names: Array<string>, seat_tones: Array<Tone>, picture: Picture, 
/**
 * Whether it has charts, several ways of writing what stands on its pieces, and a drill.
 */
charts: boolean, letterings: boolean, drill: boolean, 
/**
 * Whether a position of it is set up by its text: its pieces cannot be put one by one.
 */
by_text: boolean, 
/**
 * How many problems it has.
 */
problems: number, };

/**
 * What the card of a game shows in the lobby: a part of its entry.
 */
export type GameCard = { id: string, name: string, blurb: string, 
/**
 * Other names, for searching.
 */
aliases: Array<string>, seat_range: [number, number], seat_names: Array<string>, seat_tones: Array<Tone>, 
/**
 * What is drawn of the entry's picture; absent where that can come later.
 */
picture?: Picture, };

/**
 * A part of a game's rules.
 */
export type PassageView = { "type": "text", text: string, } | { "type": "sealed", question: string, answer: Array<PassageView>, } | { "type": "position", 
/**
 * Of the text's positions, from 0, those in answers included.
 */
number: number, 
/**
 * Places that belong together, each a way from place to place.
 */
joined: Array<Array<string>>, spec: string, seat_names: Array<string>, seat_tones: Array<Tone>, picture: Picture, last: Array<string>, 
/**
 * As text.
 */
position: string, 
/**
 * The text of the position that the plies begin with; null where that is the game's own start.
 */
start: string | null, 
/**
 * The plies, as a history writes them.
 */
line: Array<string>, 
/**
 * After so many of them comes the position that is shown at first: after all of them, or where an example begins that
 * is told step by step.
 */
at: number, 
/**
 * What is said on the way.
 */
remarks: Array<RemarkView>, is_over: boolean, };

/**
 * What is said about a position on the way to one that a text draws.
 */
export type RemarkView = { 
/**
 * After so many plies of the line.
 */
ply: number, 
/**
 * An action that is better than the one that follows.
 */
better: string | null, 
/**
 * Markdown.
 */
text: string, };

/**
 * A position on the way to one that a text draws.
 */
export type StepOfPassage = { picture: Picture, last: Array<string>, position: string, };

/**
 * A lesson with its steps.
 */
export type LessonView = { title: string, steps: Array<StepView>, };

/**
 * What the page shows of a step, besides its position.
 */
export type StepView = { title: string, 
/**
 * Of a problem how hard it is, from 1 to 5.
 */
grade: number | null, 
/**
 * Markdown.
 */
text: string, task: string, 
/**
 * The answers to choose from, where the step is a question.
 */
answers: Array<string>, };

/**
 * What a learner does in a step.
 */
export type TryRequest = { 
/**
 * The plies so far in this step, as a history writes them.
 */
line?: Array<string>, 
/**
 * What is tried, as a history writes it.
 */
token?: string, 
/**
 * What a question is answered with.
 */
answer?: string, 
/**
 * Whether to tell what was meant.
 */
show?: boolean, };

/**
 * What follows in a step where the graph of touches is cut off.
 */
export type NarrowStep = { line: Array<string>, touched: Array<string>, };

/**
 * What a try came to.
 */
export type VerdictView = "right" | "wrong" | "goes-on";

/**
 * The position of a step, and what a try came to.
 */
export type TryView = { position: AnalysedPosition, 
/**
 * The plies so far in this step, those of the others and of chance too.
 */
line: Array<string>, 
/**
 * Null where nothing was tried.
 */
verdict: VerdictView | null, 
/**
 * What is said to it, a sentence or more.
 */
said: string, 
/**
 * Actions, or the answer, that do what is asked; where it was asked for.
 */
shown: Array<string>, };

/**
 * A game with its parameters.
 */
export type Description = { spec: string, name: string, seat_names: Array<string>, seat_tones: Array<Tone>, picture: Picture, };

/**
 * What lies where; without an arrangement what lies in a position, else at the start of the game.
 */
export type PlacingRequest = { game: string, 
/**
 * The text of a position, whose pieces are put.
 */
position?: string, 
/**
 * What lies on each place, from the bottom: indices of the pieces.
 */
arrangement?: Array<Array<number>>, 
/**
 * The seat to act, where there is an arrangement.
 */
to_act?: number, };

/**
 * What was put.
 */
export type PlacingView = { game: string, name: string, seat_names: Array<string>, seat_tones: Array<Tone>, 
/**
 * What may be put.
 */
pieces: Array<PieceToPut>, 
/**
 * Where it may be put.
 */
places: Array<PlaceToFill>, arrangement: Array<Array<number>>, to_act: number, picture: Picture, 
/**
 * Its text, also where it is no position yet.
 */
position: string, 
/**
 * Why it is none, for people; null where it is one.
 */
problem: string | null, 
/**
 * Whether the game is over in it, so that it cannot be played.
 */
over: boolean, };

/**
 * A piece that may be put.
 */
export type PieceToPut = { label: string, 
/**
 * What it looks like.
 */
icon: Area, };

/**
 * Where something may be put.
 */
export type PlaceToFill = { 
/**
 * The cells on which pieces lie upon each other, from the bottom, or the one cell or line that is the place.
 */
ids: Array<string>, 
/**
 * How many pieces it holds at most.
 */
most: number, };

/**
 * What a game has beside its board.
 */
export type Reference = { charts: Array<Chart>, 
/**
 * Ways of writing what stands on the pieces, the game's own first; none where there is only that one.
 */
letterings: Array<Lettering>, };

/**
 * An engine to play against.
 */
export type AgentEntry = { spec: string, name: string, help: string, group: AgentGroup, 
/**
 * The one seat that it plays; null where it plays all of them.
 */
seat: number | null, 
/**
 * Whether it knows what every position of the game is worth, at once or after about a second.
 */
exact: boolean, };

/**
 * What an engine is offered as, in the order of the offer.
 */
export type AgentGroup = "levels" | "best" | "trained" | "methods";

/**
 * A request for a table.
 */
export type TableRequest = { game: string, 
/**
 * The text of the position to begin with, rather than the game's own start.
 */
position?: string, seats: Array<SeatRequest>, 
/**
 * Whether people may ask for hints and take back their plies; without it, where no friend plays.
 */
help?: boolean, 
/**
 * How much time seats have.
 */
clock?: TimeControl, };

export type SeatRequest = { "kind": "me", name?: string, } | { "kind": "friend", name?: string, } | { "kind": "engine", agent: string, };

/**
 * A table that was just created.
 */
export type NewTable = { table: string, keys: Array<SeatKey>, 
/**
 * With it the variations of the game are written, where only engines play.
 */
variations_key?: string, seed_hash: string, };

/**
 * A key for the creator of the table. It has no Debug form, so that no key gets into a log.
 */
export type SeatKey = { seat: number, kind: KeyKind, key: string, };

/**
 * For whom a key is.
 */
export type KeyKind = "me" | "friend";

/**
 * Client to server. It has no Debug form, so that no key gets into a log.
 */
export type ClientMessage = { "type": "hello", keys: Array<string>, name?: string, } | { "type": "play", id: string, seat: number, action: string, n_plies: number, } | { "type": "resign", id: string, seat: number, } | { "type": "draw", id: string, seat: number, n_plies: number, } | { "type": "rematch", id: string, } | { "type": "look", id: string, n_plies: number, } | { "type": "narrow", id: string, seat: number, n_plies: number, touched: Array<string>, } | { "type": "pace", id: string, paused: boolean, 
/**
 * The least time that a ply takes.
 */
millis: number, } | { "type": "step", id: string, } | { "type": "why", id: string, seat: number, n_plies: number, touched: Array<string>, } | { "type": "hint", id: string, seat: number, n_plies: number, } | { "type": "take-back", id: string, seat: number, n_plies: number, };

/**
 * Server to client.
 */
export type ServerMessage = { "type": "view" } & View | { "type": "ack", id: string, n_plies: number, } | { "type": "look", id: string, n_plies: number, 
/**
 * As in a view: the viewer may have changed since the last one was sent.
 */
private_to: number | null, picture: Picture, position: string, last: Array<string>, } | { "type": "narrowed", id: string, choices: Choices, } | { "type": "why", id: string, why: string | null, } | { "type": "hint", id: string, 
/**
 * How many plies there were.
 */
n_plies: number, action: string, 
/**
 * What is touched to choose it.
 */
path: Array<string>, 
/**
 * The payoff that the engine expects for the seat; null where it has no opinion.
 */
value: number | null, 
/**
 * Whether the action is proven to be best, and its value is exact.
 */
proven: boolean, 
/**
 * Which engine says so.
 */
agent: string, } | { "type": "error", id?: string, 
/**
 * Stable, for programs.
 */
code: string, 
/**
 * A sentence for people.
 */
message: string, 
/**
 * What is to be changed: a parameter of the game, `position`, or keys: one of the hello's (`keys[0]`, `keys[1]`, …)
 * or all of a request (`keys`).
 */
param?: string, 
/**
 * The place in a position's text, in characters from 1.
 */
column?: number, };

/**
 * A table as one client may see it.
 */
export type View = { table: string, game: string, name: string, seats: Array<SeatView>, you: Array<number>, 
/**
 * Of `you`, the seat whose secrets this view shows; null where the game has none or nobody's are shown.
 */
private_to: number | null, n_plies: number, plies_from: number, plies: Array<PlyView>, to_act: ToAct, thinking: Array<number>, picture: Picture, 
/**
 * The position as text.
 */
position: string, 
/**
 * The text of the position that play began with; null where that is the game's own start.
 */
start: string | null, last: Array<string>, choices: { [key in number]: Choices }, 
/**
 * Whether hints are given at this table, and plies taken back.
 */
help: boolean, 
/**
 * For each of `you` that may take back its last action, how many plies there would be then.
 */
take_back: { [key in number]: number }, 
/**
 * The clocks, where the table has some.
 */
clock: ClockView | null, 
/**
 * How fast the engines play; null where people play.
 */
pace: Pace | null, 
/**
 * Whether people can agree on a draw here.
 */
draws: boolean, 
/**
 * Whether anything is drawn by chance in this game.
 */
chance: boolean, 
/**
 * Whether the plies can be written as a score sheet: a game of two seats without chance.
 */
score_sheet: boolean, 
/**
 * The seats whose offer of a draw stands.
 */
draw_offers: Array<number>, result: ResultView | null, seed_hash: string, seed: string | null, next_table: NextTable | null, };

/**
 * A seat and who holds it.
 */
export type SeatView = { name: string, tone: Tone, occupant: string | null, kind: SeatKind, connected: boolean, };

export type SeatKind = "human" | "engine";

/**
 * A ply as a viewer saw it.
 */
export type PlyView = { by: ByView, text: string, 
/**
 * What begins with the ply: a round.
 */
begins?: string, };

/**
 * Who made a ply.
 */
export type ByView = "chance" | number;

/**
 * Whose turn it is.
 */
export type ToAct = "chance" | "over" | Array<number>;

/**
 * How the game ended.
 */
export type ResultView = { payoffs: Array<number>, end: string, sentence: string, };

/**
 * The rematch.
 */
export type NextTable = { table: string, 
/**
 * For each seat here, the seat that its holder has there.
 */
seats: Array<number>, };

/**
 * What an engine would play for a seat.
 */
export type HintView = { 
/**
 * How many plies there were.
 */
n_plies: number, action: string, 
/**
 * What is touched to choose it.
 */
path: Array<string>, 
/**
 * The payoff that the engine expects for the seat; null where it has no opinion.
 */
value: number | null, 
/**
 * Whether the action is proven to be best, and its value is exact.
 */
proven: boolean, 
/**
 * Which engine says so.
 */
agent: string, };

/**
 * How much time seats have; times in milliseconds.
 */
export type TimeControl = { "kind": "fischer", 
/**
 * At the start.
 */
initial: number, 
/**
 * With each ply.
 */
increment: number, } | { "kind": "bronstein", 
/**
 * At the start.
 */
initial: number, 
/**
 * What a ply gives back at most.
 */
delay: number, } | { "kind": "ply", 
/**
 * For each.
 */
time: number, } | { "kind": "days", 
/**
 * For each.
 */
days: number, };

/**
 * The clocks of a table, when its view was made.
 */
export type ClockView = { control: TimeControl, 
/**
 * By seat, in milliseconds; null for a seat that has no clock any more.
 */
left: Array<number | null>, 
/**
 * The seats whose time runs.
 */
running: Array<number>, 
/**
 * Whether everybody has come, so that the clocks run.
 */
started: boolean, };

/**
 * A page of the list of finished games.
 */
export type LibraryPage = { 
/**
 * Newest first.
 */
games: Array<LibraryEntry>, 
/**
 * What `before` is to be for the games that follow; null where there are none.
 */
next: string | null, };

/**
 * A finished game.
 */
export type LibraryEntry = { table: string, 
/**
 * The spec.
 */
game: string, name: string, seats: Array<LibrarySeat>, n_plies: number, 
/**
 * In milliseconds since 1970.
 */
ended_at: number, end: string, payoffs: Array<number>, 
/**
 * `Ann wins`, `A draw`; of a seat that is alone what it got.
 */
outcome: string, 
/**
 * Whether there are score sheets of such games.
 */
score_sheet: boolean, };

/**
 * Who held a seat of a finished game.
 */
export type LibrarySeat = { name: string, occupant: string | null, kind: SeatKind, };

/**
 * What became of the records that were sent. It has no Debug form, so that no key gets into a log.
 */
export type ImportedRecord = { 
/**
 * From 1.
 */
line: number, 
/**
 * The finished game.
 */
table?: string, 
/**
 * Whether it was here before, played or imported; nothing has changed then.
 */
already_here?: boolean, 
/**
 * With it the variations of the game are written; none where the game was here already.
 */
variations_key?: string, 
/**
 * Why there is no game.
 */
error?: Refusal, };

/**
 * How fast engines play where nobody else does.
 */
export type Pace = { paused: boolean, 
/**
 * The least time that a ply takes.
 */
millis: number, };

/**
 * The legal actions that begin with certain touches.
 */
export type Choices = { 
/**
 * The text of one of the actions.
 */
example: string, 
/**
 * Never empty; the first is where the touches have led.
 */
steps: Array<Step>, };

/**
 * Where some touches lead.
 */
export type Step = { 
/**
 * How many actions go on from here.
 */
n_actions: number, 
/**
 * What may be touched next.
 */
next: Array<NextTouch>, 
/**
 * The ids touched so far that can be taken back by themselves: the last one, and those before it whose order is
 * free.
 */
removable?: Array<string>, 
/**
 * A sentence on the touches so far.
 */
caption?: string, };

/**
 * An id that may be touched next. Where it has neither an action nor a step, the server knows more.
 */
export type NextTouch = { id: string, 
/**
 * The action that this touch completes.
 */
action?: string, 
/**
 * The index of the step that this touch leads to.
 */
step?: number, 
/**
 * Whether the action loses at once.
 */
loses?: boolean, };

/**
 * Why a request is refused; nothing has changed.
 */
export type Refusal = { 
/**
 * Stable, for programs.
 */
code: string, 
/**
 * A sentence for people.
 */
message: string, 
/**
 * What is to be changed: a parameter of the game, `position`, or keys: one of the hello's (`keys[0]`, `keys[1]`, …)
 * or all of a request (`keys`).
 */
param?: string, 
/**
 * The place in a position's text, in characters from 1.
 */
column?: number, };

/**
 * A request for analysis.
 */
export type AnalysisRequest = { of: Source, 
/**
 * So many of the recorded plies come first; all of them where it is left out.
 */
n_plies?: number, 
/**
 * The plies after them, as a history writes them.
 */
line?: Array<string>, 
/**
 * Plies before this one are not told again.
 */
plies_from?: number, 
/**
 * The specs of those who are asked.
 */
agents?: Array<string>, };

/**
 * What is analysed.
 */
export type Source = { "kind": "table", table: string, } | { "kind": "run", run: string, number: number, } | { "kind": "position", game: string, position?: string, };

/**
 * What goes on from some touches.
 */
export type NarrowRequest = { seat: number, touched: Array<string>, of: Source, 
/**
 * So many of the recorded plies come first; all of them where it is left out.
 */
n_plies?: number, 
/**
 * The plies after them, as a history writes them.
 */
line?: Array<string>, 
/**
 * Plies before this one are not told again.
 */
plies_from?: number, 
/**
 * The specs of those who are asked.
 */
agents?: Array<string>, };

/**
 * A line of a reply.
 */
export type AnalysisMessage = { "type": "position" } & AnalysedPosition | { "type": "advice", 
/**
 * Which of those that were asked.
 */
agent: number, 
/**
 * Whose choice it is.
 */
seat: number, 
/**
 * The choice first, then the others by their values for the seat.
 */
candidates: Array<CandidateView>, 
/**
 * How many actions are legal; those beyond the candidates are not told.
 */
n_actions: number, line: Array<LinePly>, 
/**
 * Whether the first of the candidates is proven to be best.
 */
proven: boolean, 
/**
 * How what is exact is known, in a word: by a table, a proof, a search; null where the agent does not say.
 */
known_by: string | null, 
/**
 * Why the first of the candidates is chosen, where the agent says it.
 */
why: Reason | null, 
/**
 * Simulations or nodes so far, as the agent counts.
 */
simulations: number, nodes: number, depth: number | null, millis: number, 
/**
 * Over how many draws of what is hidden the values are averaged, where the seat's own view is not known.
 */
draws: number | null, } | { "type": "curve", points: Array<CurvePoint>, losses: Array<PlyLoss>, 
/**
 * The plies that lost most, the worst first.
 */
worst: Array<number>, 
/**
 * How much of the work is done, from 0 to 1.
 */
progress: number, } | { "type": "end" } | { "type": "error", 
/**
 * Which of those that were asked is refused, where the others go on; the last line of the reply has none.
 */
agent?: number, 
/**
 * Stable, for programs.
 */
code: string, 
/**
 * A sentence for people.
 */
message: string, 
/**
 * What is to be changed: a parameter of the game, `position`, or keys: one of the hello's (`keys[0]`, `keys[1]`, …)
 * or all of a request (`keys`).
 */
param?: string, 
/**
 * The place in a position's text, in characters from 1.
 */
column?: number, };

/**
 * A position, and what can be done there.
 */
export type AnalysedPosition = { game: string, name: string, seats: Array<AnalysedSeat>, 
/**
 * Only what this seat knows is shown; null where everything is known.
 */
viewer: number | null, 
/**
 * Whether this depends on how what the viewer did not know was drawn: some of it has come to light.
 */
of_one_draw: boolean, 
/**
 * How many plies the record has.
 */
n_own: number, n_plies: number, plies_from: number, plies: Array<AnalysedPly>, to_act: ToAct, picture: Picture, position: string, 
/**
 * The text of the position that play began with; null where that is the game's own start.
 */
start: string | null, last: Array<string>, choices: { [key in number]: Choices }, 
/**
 * What chance may do, where it is to act, as far as the viewer knows.
 */
outcomes: Array<OutcomeView>, 
/**
 * How the game ended, where it is over here.
 */
result: ResultView | null, 
/**
 * The least and the greatest payoff, where the rules bound them.
 */
payoff_range: [number, number] | null, 
/**
 * Whether two seats play for the same thing: what one wins, the other loses.
 */
opposed: boolean, 
/**
 * Whether positions of the game can be set up by putting pieces.
 */
placing: boolean, };

/**
 * A seat, and who held it where that is recorded.
 */
export type AnalysedSeat = { name: string, tone: Tone, occupant: string | null, };

/**
 * A ply as the viewer sees it, and as a history writes it.
 */
export type AnalysedPly = { token: string, by: ByView, text: string, 
/**
 * What begins with the ply: a round.
 */
begins?: string, };

/**
 * An outcome that can be chosen.
 */
export type OutcomeView = { token: string, weight: number, };

/**
 * An action that was considered.
 */
export type CandidateView = { action: string, 
/**
 * The same as a history writes it.
 */
token: string, 
/**
 * What is touched to choose it.
 */
path: Array<string>, 
/**
 * The payoffs expected after it, by seat; empty where nothing is known.
 */
values: Array<number>, certainty: CertaintyView, standard_error: number | null, visits: number | null, depth: number | null, 
/**
 * How and when the game is decided for the chooser under best play; null where that is not known.
 */
ends: EndsView | null, };

/**
 * How sure a value is.
 */
export type CertaintyView = "unknown" | "estimate" | "at-least" | "at-most" | "exact";

/**
 * How the game ends under best play: the winner shortens it, the loser prolongs it.
 */
export type EndsView = { result: EndsAs, 
/**
 * After how many plies, the action included.
 */
plies: number, };

/**
 * What the end is to the seat that chooses.
 */
export type EndsAs = "win" | "loss" | "draw" | "alone";

/**
 * A ply of the line of play that is expected.
 */
export type LinePly = { by: ByView, token: string, };

/**
 * What a position of the game was worth.
 */
export type CurvePoint = { 
/**
 * After so many plies.
 */
n_plies: number, 
/**
 * The payoffs expected, by seat.
 */
values: Array<number>, 
/**
 * Never where it depends on how what the viewer did not know was drawn.
 */
exact: boolean, 
/**
 * What the agent would have played.
 */
best: string | null, };

/**
 * What a ply lost to the seat that chose it.
 */
export type PlyLoss = { 
/**
 * From 1.
 */
ply: number, seat: number, loss: number, };

/**
 * The tree of what was tried, and how often it has changed.
 */
export type KeptVariations = { 
/**
 * Counts the changes; 0 where nothing has been kept yet.
 */
revision: number, 
/**
 * The tree as its lines, each to its end.
 */
lines: Array<TriedLine>, };

/**
 * Plies that were tried in place of those that were played, or after them.
 */
export type TriedLine = { 
/**
 * So many plies of the game come first.
 */
after: number, 
/**
 * The plies that follow, as a history writes them.
 */
plies: Array<string>, };

/**
 * A change of the tree. It has no Debug form, so that no key gets into a log.
 */
export type VariationsRequest = { 
/**
 * One of them holds a seat of the game, or is the one for its variations.
 */
keys: Array<string>, 
/**
 * The one that it was made from.
 */
revision: number, 
/**
 * The whole tree.
 */
lines: Array<TriedLine>, };

/**
 * A run that is asked for.
 */
export type RunRequest = { "kind": "tournament" } & TournamentRequest | { "kind": "balance" } & BalanceRequest | { "kind": "training" } & TrainingRequest;

export type TournamentRequest = { 
/**
 * The spec of the game.
 */
game: string, 
/**
 * The specs of those who meet.
 */
agents: Array<string>, format: FormatView, 
/**
 * Games of a meeting, or as many more as make whole rounds.
 */
games: number, 
/**
 * So many plies at random begin each round.
 */
opening_plies: number, seed: number, };

/**
 * Who meets whom.
 */
export type FormatView = "round-robin" | "double" | "knock-out" | "swiss";

export type BalanceRequest = { 
/**
 * The specs of one game or two, which are played in turn.
 */
variants: Array<string>, 
/**
 * Who plays on all seats.
 */
agent: string, 
/**
 * Games of each variant.
 */
games: number, seed: number, };

/**
 * What a run is asked to do, by somebody who has its key.
 */
export type RunCommand = { key: string, do: RunOrder, 
/**
 * Under which name an agent is kept.
 */
name?: string, };

export type RunOrder = "pause" | "resume" | "stop" | "remove" | "keep";

/**
 * A run that was made.
 */
export type NewRun = { run: string, 
/**
 * The secret with which it is paused, stopped and removed.
 */
key: string, };

/**
 * How far a run is.
 */
export type RunState = "running" | "paused" | "stopped" | "done" | "failed";

/**
 * A run.
 */
export type RunView = { run: string, request: RunRequest, 
/**
 * What it is, for people.
 */
title: string, state: RunState, why: string | null, created_at: number, 
/**
 * For how long it has worked.
 */
millis: number, n_done: number, 
/**
 * Where that is known.
 */
n_total: number | null, 
/**
 * What it has come to; not in a list of runs.
 */
progress: RunProgress | null, };

/**
 * A line about a run.
 */
export type RunMessage = { "type": "run" } & RunView | { "type": "progress", n_done: number, n_total: number | null, progress: RunProgress | null, } | { "type": "end" } | { "type": "error", 
/**
 * Stable, for programs.
 */
code: string, 
/**
 * A sentence for people.
 */
message: string, 
/**
 * What is to be changed: a parameter of the game, `position`, or keys: one of the hello's (`keys[0]`, `keys[1]`, …)
 * or all of a request (`keys`).
 */
param?: string, 
/**
 * The place in a position's text, in characters from 1.
 */
column?: number, };

/**
 * What a run has come to.
 */
export type RunProgress = { "kind": "tournament" } & TournamentView | { "kind": "balance" } & BalanceView | { "kind": "training" } & TrainingView;

/**
 * A number with its 95 % interval.
 */
export type EstimateView = { value: number, low: number, high: number, };

/**
 * A mean with its 95 % interval; its ends are null where one value alone, or one round of games, tells of none.
 */
export type MeanView = { value: number, low: number | null, high: number | null, };

/**
 * What games reached: the largest tile, say.
 */
export type ReachedView = { what: string, 
/**
 * Each amount at which a game ended, rising, and the share of games that reached it or more.
 */
shares: Array<[number, EstimateView]>, };

/**
 * A game that is played in a run.
 */
export type PlayedGameView = { 
/**
 * The canonical spec.
 */
game: string, name: string, seat_names: Array<string>, seat_tones: Array<Tone>, };

export type TournamentView = { n_games: number, 
/**
 * How many games are the same as an earlier one, ply for ply.
 */
n_repeated: number, 
/**
 * In plies.
 */
mean_length: number, 
/**
 * In the order of the request.
 */
agents: Array<StandingView>, 
/**
 * Agents from the first to the last.
 */
order: Array<number>, 
/**
 * Won, drawn, lost of rows against columns; empty where games are played alone.
 */
matrix: Array<Array<[number, number, number]>>, 
/**
 * What each seat was paid, all agents together.
 */
seats: Array<MeanView>, 
/**
 * Whether a drawn game was added to each pair, because no finite ratings are likeliest.
 */
with_prior: boolean, 
/**
 * The canonical spec.
 */
game: string, name: string, seat_names: Array<string>, seat_tones: Array<Tone>, };

export type StandingView = { spec: string, 
/**
 * For people.
 */
name: string, games: number, 
/**
 * A draw is half a point; in games of another number of seats than two what the seats were paid.
 */
points: number, wins: number, draws: number, losses: number, 
/**
 * Above the mean of all; null where games do not say.
 */
elo: EstimateView | null, 
/**
 * What a seat was paid; null without games.
 */
payoff: MeanView | null, 
/**
 * A decision, in the mean; null where none was timed.
 */
millis: number | null, };

export type BalanceView = { agent: string, 
/**
 * By variant; null before its first game.
 */
sheets: Array<SheetView | null>, };

/**
 * What many games between equal agents say about a game.
 */
export type SheetView = { n_games: number, seats: Array<SeatBalanceView>, 
/**
 * One seat alone won; null where there is one seat.
 */
decisive: EstimateView | null, drawn: EstimateView | null, 
/**
 * Plies: the mean and the standard deviation.
 */
length: [number, number], 
/**
 * How many games were how long: from, to (not included), how many.
 */
lengths: Array<[number, number, number]>, 
/**
 * Actions a decision: the mean and the standard deviation.
 */
branching: [number, number], most_actions: number, lead_changes: MeanView | null, 
/**
 * The share of the board's places that ever changed.
 */
coverage: MeanView | null, 
/**
 * How much was reached in how many games; null where a game counts nothing.
 */
reached: ReachedView | null, 
/**
 * Games by end reason.
 */
ends: { [key in string]: number }, 
/**
 * How the seats' shares came about.
 */
course: Array<CourseView>, 
/**
 * The canonical spec.
 */
game: string, name: string, seat_names: Array<string>, seat_tones: Array<Tone>, };

export type SeatBalanceView = { payoff: MeanView, 
/**
 * The share of games that it won alone.
 */
wins: EstimateView, };

/**
 * What was known after so many games.
 */
export type CourseView = { n_games: number, 
/**
 * The share of games that each seat won alone; what it was paid where it is alone.
 */
seats: Array<MeanView>, };

/**
 * A game of a tournament.
 */
export type RunGameView = { number: number, 
/**
 * The agents by seat, as the request counts them.
 */
seats: Array<number>, payoffs: Array<number>, n_plies: number, end: string, };

export type TrainingRequest = { game: string, 
/**
 * The spec of the learner, such as `ntuple:tuples=70x8`.
 */
learner: string, 
/**
 * Games of training.
 */
games: number, seed: number, 
/**
 * The spec of the opponent that it is measured against.
 */
against: string, 
/**
 * Where the games begin that it is measured in: `start`, `plies:N` or `all`.
 */
starts: string, 
/**
 * Its seat in them; every seat in turn where there is none.
 */
seat: number | null, 
/**
 * Games for each point of the curve.
 */
measure_games: number, };

export type TrainingView = { learner: string, 
/**
 * The opponent that it is measured against, for people.
 */
against: string, 
/**
 * What a seat can get at least and at most.
 */
payoff_range: [number, number] | null, plies: number, plies_per_second: number, 
/**
 * Until it is over, measuring included.
 */
seconds_left: number | null, 
/**
 * What it measures now; null while it trains.
 */
measuring: MeasuringView | null, 
/**
 * The curve so far.
 */
points: Array<PointView>, 
/**
 * In all games that its measure means, once the training is over; null before, and where each point has them all.
 */
final: MeasureView | null, 
/**
 * What its actions at the start of the game are worth to it now; null where no seat acts there.
 */
start: StartView | null, 
/**
 * A game that it played against itself; null before the first.
 */
sample: SampleView | null, 
/**
 * The canonical spec.
 */
game: string, name: string, seat_names: Array<string>, seat_tones: Array<Tone>, };

/**
 * How far a measure is.
 */
export type MeasuringView = { 
/**
 * Games that are over.
 */
n_over: number, 
/**
 * Of so many, or fewer where they take long.
 */
n_games: number, 
/**
 * Whether it is the measure in all games, at the end.
 */
is_final: boolean, };

/**
 * A point of a training's curve.
 */
export type PointView = { games: number, seconds: number, plies_per_second: number, 
/**
 * What each seat can expect at the start, as far as it has learned; empty where that is not known.
 */
start_values: Array<number>, measure: MeasureView, };

/**
 * How well an agent played.
 */
export type MeasureView = { 
/**
 * The spec of the opponent.
 */
against: string, starts: string, 
/**
 * The mean payoff.
 */
score: MeanView, 
/**
 * The share of games in which it got at least the exact value; null where that is not known.
 */
kept: EstimateView | null, games: number, wins: number, draws: number, losses: number, };

export type StartView = { seat: number, 
/**
 * What is touched first, and the best that it leads to.
 */
marks: Array<[string, number]>, 
/**
 * The text of the best action.
 */
best: string, };

export type SampleView = { 
/**
 * After so many games of training.
 */
games: number, 
/**
 * As a history writes them.
 */
plies: Array<string>, };

/**
 * A position of a sample game, as it is drawn.
 */
export type FrameView = { picture: Picture, last: Array<string>, };

/**
 * A kind of learner.
 */
export type LearnerView = { 
/**
 * Its id, with which its spec begins.
 */
learner: string, name: string, 
/**
 * One sentence about how it learns.
 */
help: string, options: Array<OptionView>, };

/**
 * What can learn a game, and how.
 */
export type LearnersView = { learners: Array<LearnerView>, presets: Array<PresetView>, opponents: Array<AgentEntry>, };

/**
 * An option of a learner.
 */
export type OptionView = { name: string, kind: OptionKindView, default: string | null, help: string, };

export type OptionKindView = { "type": "number", min: number, max: number, whole: boolean, } | { "type": "choice", options: Array<string>, } | { "type": "text" };

/**
 * Options that work.
 */
export type PresetView = { name: string, 
/**
 * About how long it takes.
 */
time: string, request: TrainingRequest, };

/**
 * The first thing to try in the lab.
 */
export type ExampleView = { 
/**
 * The name of the game.
 */
name: string, preset: PresetView, };

/**
 * A trained agent of the library.
 */
export type TrainedView = { name: string, 
/**
 * Its spec, as a player.
 */
spec: string, 
/**
 * Whether it came with the command.
 */
shipped: boolean, game: string, game_name: string, learner: string, seed: number, version: string, command: string, licence: string, games: number, seconds: number, bytes: number, measures: Array<MeasureView>, 
/**
 * Why it cannot be used; then the rest says nothing.
 */
damaged: string | null, };

/**
 * What a network of tuples looks at.
 */
export type TuplesView = { 
/**
 * The grids of an observation: its name, rows, columns.
 */
grids: Array<[string, number, number]>, n_weights: number, 
/**
 * Those that training has changed.
 */
n_visited: number, symmetries: number, tuples: Array<TupleView>, };

export type TupleView = { 
/**
 * Its points on grids: which grid, row, column.
 */
cells: Array<[number, number, number]>, 
/**
 * The names of its points that lie on no grid.
 */
others: Array<string>, n_weights: number, n_visited: number, 
/**
 * The mean size of the weights that were changed.
 */
mean_size: number, greatest: number, };
