(** [make_parallel_composition]: one release of each part, and the greatest sum of losses over all ways to split the distance. *)
Require Import Reals Lra Psatz Lia ZArith List Permutation Sorting.Sorted.
From DP Require Import Expect Approx DualRenyi PureToZCDP Measures Rounding composition Interaction.
Import ListNotations.
Open Scope Z_scope.

Definition addz (l : list Z) : Z := fold_right Z.add 0 l.
Definition greatest_of (table : list Z) : Z := fold_right Z.max 0 table.

(** What a part costs at distance [d]: nothing at 0, the table's entry where distances are searched, and else the one entry there is. *)
Definition cost (searched : bool) (table : list Z) (d : nat) : Z :=
  match d with O => 0 | S d' => nth (if searched then d' else O) table 0 end.
Fixpoint costs (searched : bool) (tables : list (list Z)) (ds : list nat) : list Z :=
  match tables, ds with table :: tables, d :: ds => cost searched table d :: costs searched tables ds | _, _ => [] end.

(** [largest]: the sum of the so many greatest. *)
Definition largest (sorted : list Z) (changed : nat) : Z := addz (firstn changed sorted).

Lemma firstn_nonneg n l : Forall (fun z => 0 <= z) l -> 0 <= addz (firstn n l).
Proof. intros F; revert n; induction F; intros [|n]; simpl; try lia; specialize (IHF n); lia. Qed.
Lemma largest_sound sorted sub rest changed : StronglySorted (fun a b => b <= a) sorted -> Forall (fun z => 0 <= z) sorted ->
  Permutation sorted (sub ++ rest) -> (length sub <= changed)%nat -> addz sub <= largest sorted changed.
Proof.
  unfold largest; intros S; revert sub rest changed; induction S as [|m s S IH A]; intros sub rest changed F P L.
  - apply Permutation_nil in P; apply app_eq_nil in P; destruct P as [-> _]; destruct changed; simpl; lia.
  - inversion F as [|? ? Fm Fs]; subst.
    destruct sub as [|a sub]; [simpl addz at 1; now apply firstn_nonneg|].
    destruct changed as [|changed]; [simpl in L; lia|]; simpl firstn; simpl addz.
    assert (I : In m ((a :: sub) ++ rest)) by (rewrite <- P; now left).
    apply in_app_or in I; destruct I as [I|I].
    + apply in_split in I; destruct I as (u & v & E).
      assert (X : addz (a :: sub) = m + addz (u ++ v)).
      { rewrite E; clear; induction u; simpl in *; lia. }
      simpl in X; rewrite X; apply Z.add_le_mono_l, IH with rest; auto.
      * rewrite E, <- !app_assoc in P; simpl in P; apply Permutation_cons_app_inv in P; now rewrite <- app_assoc.
      * apply (f_equal (@length Z)) in E; rewrite app_length in E |- *; simpl in *; lia.
    + apply in_split in I; destruct I as (u & v & ->).
      assert (Q : Permutation s (sub ++ (a :: u ++ v))).
      { rewrite app_assoc in P; apply Permutation_cons_app_inv in P; rewrite P, <- app_assoc; simpl.
        rewrite <- Permutation_middle; reflexivity. }
      assert (Ha : a <= m).
      { rewrite Forall_forall in A; assert (In a s) by (rewrite Q; apply in_or_app; right; now left); now apply A. }
      apply Z.add_le_mono; auto; eapply IH; eauto; simpl in L; lia.
Qed.

Lemma nth_greatest table k : nth k table 0 <= greatest_of table.
Proof. revert k; induction table as [|z t IH]; intros [|k]; simpl; try lia; specialize (IH k); lia. Qed.
Lemma greatest_nonneg table : 0 <= greatest_of table.
Proof. induction table; simpl; lia. Qed.

Fixpoint changed_parts (ds : list nat) : nat := match ds with [] => O | O :: ds => changed_parts ds | S _ :: ds => S (changed_parts ds) end.

(** The parts that change are some of all parts, and each costs at most its greatest entry. *)
Lemma costs_largest searched tables ds sorted changed : length ds = length tables ->
  Permutation sorted (map greatest_of tables) -> StronglySorted (fun a b => b <= a) sorted -> (changed_parts ds <= changed)%nat ->
  addz (costs searched tables ds) <= largest sorted changed.
Proof.
  intros L P S C.
  assert (X : exists sub rest, Permutation (map greatest_of tables) (sub ++ rest) /\ length sub = changed_parts ds /\ addz (costs searched tables ds) <= addz sub).
  { clear - L; revert ds L; induction tables as [|t tables IH]; intros [|d ds] L; simpl in *; try discriminate.
    - exists [], []; simpl; repeat split; auto; lia.
    - destruct (IH ds ltac:(lia)) as (sub & rest & P & E & A); destruct d as [|d].
      + exists sub, (greatest_of t :: rest); split; [rewrite <- Permutation_middle, P; auto|split; [auto|simpl; lia]].
      + exists (greatest_of t :: sub), rest; simpl; split; [rewrite P; auto|split; [lia|]].
        pose proof (nth_greatest t (if searched then d else O)); lia. }
  destruct X as (sub & rest & Q & E & A); eapply Z.le_trans; [exact A|].
  apply largest_sound with rest; [auto| |now rewrite P|lia].
  rewrite P, Forall_map; apply Forall_forall; intros t _; apply greatest_nonneg.
Qed.

(** [best_split]: after each part, the greatest sum for each total that is spent so far. *)
Definition step (previous : nat -> Z) (table : list Z) (spent : nat) : Z :=
  fold_left Z.max (map (fun d => previous (spent - d)%nat + nth (d - 1) table 0) (seq 1 (min spent (length table)))) (previous spent).
Definition best_split (tables : list (list Z)) (total : nat) : Z := fold_left step tables (fun _ => 0) total.

Lemma fold_keeps l z : z <= fold_left Z.max l z.
Proof. revert z; induction l as [|b l IH]; intros z; simpl; [lia|]; specialize (IH (Z.max z b)); lia. Qed.
Lemma fold_max l z a : In a l -> a <= fold_left Z.max l z.
Proof.
  revert z; induction l as [|b l IH]; intros z I; [destruct I|]; destruct I as [->|I]; simpl; auto.
  pose proof (fold_keeps l (Z.max z a)); lia.
Qed.
Lemma step_keeps previous table spent : previous spent <= step previous table spent.
Proof. apply fold_keeps. Qed.

Lemma split_sound tables ds previous base used : length ds = length tables ->
  (forall table, In table tables -> forall d, In d ds -> (d <= length table)%nat) ->
  (forall spent, (used <= spent)%nat -> base <= previous spent) ->
  forall spent, (used + list_sum ds <= spent)%nat -> base + addz (costs true tables ds) <= fold_left step tables previous spent.
Proof.
  revert ds previous base used; induction tables as [|table tables IH]; intros [|d ds] previous base used L T H spent U; simpl in *; try discriminate.
  - rewrite Z.add_0_r; apply H; lia.
  - rewrite Z.add_assoc; apply IH with (used + d)%nat; [lia|intros t It k Ik; apply T; auto| |lia].
    intros j Hj; destruct d as [|d]; simpl cost.
    + rewrite Z.add_0_r; apply Z.le_trans with (previous j); [apply H; lia|apply step_keeps].
    + assert (D : (S d <= length table)%nat) by (apply T; auto).
      eapply Z.le_trans; [|apply fold_max, in_map_iff; exists (S d); split; [reflexivity|apply in_seq; lia]].
      simpl Nat.sub; rewrite Nat.sub_0_r; apply Z.add_le_mono_r, H; lia.
Qed.

(** [supremum], number by number: the lesser of the two where distances are searched. *)
Definition supremum (searched : bool) (tables : list (list Z)) (sorted : list Z) (changed total : nat) : Z :=
  if searched then Z.min (largest sorted changed) (best_split tables total) else largest sorted changed.

Theorem supremum_sound searched tables sorted ds changed total : length ds = length tables ->
  (searched = true -> forall table, In table tables -> forall d, In d ds -> (d <= length table)%nat) ->
  Permutation sorted (map greatest_of tables) -> StronglySorted (fun a b => b <= a) sorted ->
  (changed_parts ds <= changed)%nat -> (list_sum ds <= total)%nat ->
  addz (costs searched tables ds) <= supremum searched tables sorted changed total.
Proof.
  intros L T P S C U; unfold supremum; assert (X := costs_largest searched tables ds sorted changed L P S C).
  destruct searched; auto; apply Z.min_glb; auto.
  rewrite <- (Z.add_0_l (addz _)); apply split_sound with O; auto; intros; lia.
Qed.

Open Scope R_scope.
Lemma total_units zs : total (map units zs) = units (addz zs).
Proof. induction zs; simpl; unfold total in *; simpl; [unfold units; ring|]; rewrite IHzs, units_plus; ring. Qed.

(** Inputs whose parts [i] are [ds i] apart: not more than [changed] parts differ, by [total] together, each by as much as the tables tell. *)
Section Parts.
Context {Y : Type} (searched : bool) (ds : list nat) (changed all_together : nat) (Ps Qs : list (dist Y)).
Hypotheses (Hchanged : (changed_parts ds <= changed)%nat) (Htotal : (list_sum ds <= all_together)%nat).
Definition told (tables : list (list Z)) (sorted : list Z) : Prop := length ds = length tables /\
  (searched = true -> forall table, In table tables -> forall d, In d ds -> (d <= length table)%nat) /\
  Permutation sorted (map greatest_of tables) /\ StronglySorted (fun a b => (b <= a)%Z) sorted.
Definition loss_of tables sorted := up (units (supremum searched tables sorted changed all_together)).

Lemma loss_sound tables sorted : told tables sorted -> total (map units (costs searched tables ds)) <= loss_of tables sorted.
Proof.
  intros (L & T & P & S); rewrite total_units; eapply Rle_trans; [|apply up_ge].
  apply units_le; now apply supremum_sound.
Qed.

Theorem make_parallel_composition_max_divergence tables sorted : told tables sorted ->
  part_by_part max_divergence (map units (costs searched tables ds)) Ps Qs -> max_divergence (loss_of tables sorted) (all Ps) (all Qs).
Proof.
  intros T H; apply loss_sound in T; apply split_ways in H; destruct H as [F B].
  split; (eapply close_mono; [exact T|apply Rle_refl|]); now apply pure_one_way.
Qed.
Theorem make_parallel_composition_zero_concentrated tables sorted : told tables sorted ->
  part_by_part zero_concentrated (map units (costs searched tables ds)) Ps Qs -> zero_concentrated (loss_of tables sorted) (all Ps) (all Qs).
Proof.
  intros T H; apply loss_sound in T; apply split_ways in H; destruct H as [F B].
  split; (eapply zCDP_mono; [exact T|]); now apply zCDP_one_way.
Qed.
Theorem make_parallel_composition_range_divergence tables sorted : told tables sorted ->
  part_by_part range_divergence (map units (costs searched tables ds)) Ps Qs -> range_divergence (loss_of tables sorted) (all Ps) (all Qs).
Proof.
  intros T H; apply loss_sound in T; eapply bounded_range_mono; [exact T|].
  now apply range_one_way.
Qed.
(** Pairs: each number by itself, of a table of its own. *)
Theorem make_parallel_composition_approximate tables sorted tables' sorted' : told tables sorted -> told tables' sorted' ->
  approximately (map units (costs searched tables ds)) (map units (costs searched tables' ds)) Ps Qs ->
  close (loss_of tables sorted) (loss_of tables' sorted') (all Ps) (all Qs).
Proof.
  intros T T' H; apply loss_sound in T, T'; eapply close_mono; [exact T|exact T'|]; now apply approximate_one_way.
Qed.
End Parts.
