(* Replays on the extracted models what the library's samplers did: each line of input is a sampler, its parameter
   (a fraction), the bits it was given, and its answer, "?" if the bits ran out. *)
open Model

let rec positive n = if n = 1 then XH else if n land 1 = 0 then XO (positive (n lsr 1)) else XI (positive (n lsr 1))
let z n = if n = 0 then Z0 else if n > 0 then Zpos (positive n) else Zneg (positive (-n))
let rec of_positive = function XH -> 1 | XO p -> 2 * of_positive p | XI p -> 2 * of_positive p + 1
let of_z = function Z0 -> 0 | Zpos p -> of_positive p | Zneg p -> - of_positive p
let rec nat n = if n = 0 then O else S (nat (n - 1))
let fuel = nat 2000

(* The end of the fuel is not the end of the bits: it would be a fault of this replay. *)
let show text = function None -> "?" | Some None -> "fuel" | Some (Some a) -> text a
let integer t bits = show (fun a -> string_of_int (of_z a)) (run t bits)
let truth t bits = show string_of_bool (run t bits)

let model sampler num den bits = match sampler with
  | "uniform_below" | "uniform_below_u64" -> integer (uniform fuel num) bits
  | "bernoulli" -> truth (coin fuel num den) bits
  | "bernoulli_float" -> truth (coin_digits (nat 32) fuel num den) bits
  | "bernoulli_exp" -> truth (coin_exp fuel fuel num den) bits
  | "geometric" -> integer (discrete_geometric fuel num den) bits
  | "discrete_laplace" -> integer (discrete_laplace fuel num den) bits
  | "discrete_gaussian" -> integer (discrete_gaussian fuel num den) bits
  | other -> failwith other

let () =
  let cases = Hashtbl.create 8 and differ = ref 0 and decided = ref 0 in
  (try while true do
    Scanf.sscanf (input_line stdin) "%s %d %d %s %s" (fun sampler num den bits answer ->
      let tape = List.init (String.length bits) (fun i -> bits.[i] = '1') in
      let expected = model sampler (z num) (z den) tape in
      Hashtbl.replace cases sampler (1 + try Hashtbl.find cases sampler with Not_found -> 0);
      if expected <> "?" then incr decided;
      if expected <> answer then begin
        incr differ;
        if !differ <= 3 then Printf.printf "%s %d/%d on %s: model %s, code %s\n" sampler num den bits expected answer
      end)
  done with End_of_file -> ());
  Hashtbl.iter (fun sampler n -> Printf.printf "%-18s %d tapes\n" sampler n) cases;
  let all = Hashtbl.fold (fun _ n sum -> n + sum) cases 0 in
  Printf.printf "%d of %d decided, %d differ\n" !decided all !differ;
  exit (if !differ = 0 && Hashtbl.length cases > 0 && 2 * !decided > all then 0 else 1)
